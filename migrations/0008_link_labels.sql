-- WITHOUT ROWID is written by hand: src/links/links.table.ts says why.
CREATE TABLE `link_labels` (
	`workspace_id` text NOT NULL,
	`label` text NOT NULL,
	`link_id` text NOT NULL,
	PRIMARY KEY(`workspace_id`, `label`, `link_id`)
) WITHOUT ROWID;
--> statement-breakpoint
-- By hand from here: what the table is filled with, and the triggers that keep it.
INSERT INTO `link_labels`
SELECT DISTINCT `workspace_id`, value, `links`.`id` FROM `links`, json_each(`labels`);--> statement-breakpoint
CREATE TRIGGER `links_labels_insert` AFTER INSERT ON `links` WHEN NEW.`labels` <> '[]'
BEGIN
  INSERT INTO `link_labels` SELECT DISTINCT NEW.`workspace_id`, value, NEW.`id` FROM json_each(NEW.`labels`);
END;--> statement-breakpoint
CREATE TRIGGER `links_labels_update` AFTER UPDATE OF `labels` ON `links` WHEN NEW.`labels` <> OLD.`labels`
BEGIN
  DELETE FROM `link_labels` WHERE `workspace_id` = OLD.`workspace_id` AND `link_id` = OLD.`id`
     AND `label` IN (SELECT value FROM json_each(OLD.`labels`));
  INSERT INTO `link_labels` SELECT DISTINCT NEW.`workspace_id`, value, NEW.`id` FROM json_each(NEW.`labels`);
END;--> statement-breakpoint
CREATE TRIGGER `links_labels_delete` AFTER DELETE ON `links` WHEN OLD.`labels` <> '[]'
BEGIN
  DELETE FROM `link_labels` WHERE `workspace_id` = OLD.`workspace_id` AND `link_id` = OLD.`id`
     AND `label` IN (SELECT value FROM json_each(OLD.`labels`));
END;

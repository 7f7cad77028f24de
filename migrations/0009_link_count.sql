ALTER TABLE `workspaces` ADD `link_count` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
-- By hand from here: the count so far, and the triggers that keep it.
UPDATE `workspaces` SET `link_count` = (SELECT count(*) FROM `links` WHERE `workspace_id` = `workspaces`.`id`);--> statement-breakpoint
CREATE TRIGGER `links_count_insert` AFTER INSERT ON `links`
BEGIN UPDATE `workspaces` SET `link_count` = `link_count` + 1 WHERE `id` = NEW.`workspace_id`; END;--> statement-breakpoint
CREATE TRIGGER `links_count_delete` AFTER DELETE ON `links`
BEGIN UPDATE `workspaces` SET `link_count` = `link_count` - 1 WHERE `id` = OLD.`workspace_id`; END;

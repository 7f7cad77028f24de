ALTER TABLE `workspaces` ADD `number` integer;--> statement-breakpoint
ALTER TABLE `links` ADD `position` integer;--> statement-breakpoint
-- By hand until the indexes: numbers for the workspaces and links so far, oldest first, before there is an index to keep.
UPDATE `workspaces` SET `number` = `numbered`.`number`
  FROM (SELECT `id`, row_number() OVER (ORDER BY `id`) AS `number` FROM `workspaces`) AS `numbered`
 WHERE `numbered`.`id` = `workspaces`.`id`;--> statement-breakpoint
UPDATE `links` SET `position` = `numbered`.`position`
  FROM (SELECT `links`.`id`,
               (`number` << 32) + row_number() OVER (PARTITION BY `workspace_id` ORDER BY `links`.`id`) AS `position`
          FROM `links` JOIN `workspaces` ON `workspaces`.`id` = `workspace_id`) AS `numbered`
 WHERE `numbered`.`id` = `links`.`id`;--> statement-breakpoint
CREATE UNIQUE INDEX `workspaces_number` ON `workspaces` (`number`);--> statement-breakpoint
CREATE UNIQUE INDEX `links_position` ON `links` (`position`);--> statement-breakpoint
CREATE INDEX `links_disabled` ON `links` (`workspace_id`,`id`) WHERE "links"."enabled" = 0;--> statement-breakpoint
-- By hand from here: drizzle-kit knows neither triggers nor virtual tables nor views without a definition in the source.
CREATE TRIGGER `workspaces_number_insert` AFTER INSERT ON `workspaces` WHEN NEW.`number` IS NULL
BEGIN
  UPDATE `workspaces` SET `number` = (SELECT coalesce(max(`number`), 0) + 1 FROM `workspaces`) WHERE `id` = NEW.`id`;
END;--> statement-breakpoint
-- The index holds terms only, neither texts nor places of terms: a search verifies the links that it finds. The built-in
-- tokenizer `trigram` would mix the terms of all workspaces, so a search in one would read those of the others.
CREATE VIRTUAL TABLE `link_search` USING fts5(`terms`, tokenize='ascii', content='', columnsize=0, detail=none);--> statement-breakpoint
-- Terms of each link: the number of its workspace, `z`, and three neighbouring characters of its text in hexadecimal.
-- char(2) occurs in no text. It parts the texts and, doubled, marks the start of the code. Only the first 1,024
-- characters of a destination are indexed, since a bulk creation may have 1 MiB of them. Another searchable column is
-- added by creating this view anew with `|| char(2) || lower(…)`, adding the column to the triggers of updates, and
-- filling the index again.
CREATE VIEW `link_search_terms` AS
SELECT `position`,
       (WITH RECURSIVE `starts`(`start`) AS (SELECT 1 UNION ALL
                                             SELECT `start` + 1 FROM `starts` WHERE `start` < length(`text`) - 2)
        SELECT group_concat(`prefix` || hex(substr(`text`, `start`, 3)), ' ') FROM `starts`) AS `terms`
  FROM (SELECT `position`, printf('%xz', `number`) AS `prefix`,
               char(2, 2) || `code_key` || char(2) || lower(substr(`destination`, 1, 1024)) AS `text`
          FROM `links` JOIN `workspaces` ON `workspaces`.`id` = `workspace_id`
         WHERE `position` IS NOT NULL);--> statement-breakpoint
INSERT INTO `link_search` (rowid, `terms`) SELECT `position`, `terms` FROM `link_search_terms`;--> statement-breakpoint
CREATE TRIGGER `links_search_insert` AFTER INSERT ON `links`
BEGIN
  INSERT INTO `link_search` (rowid, `terms`)
  SELECT `position`, `terms` FROM `link_search_terms` WHERE `position` = NEW.`position`;
END;--> statement-breakpoint
-- FTS5 removes an entry by its terms, so they are read before the change: https://www.sqlite.org/fts5.html#the_delete_command
CREATE TRIGGER `links_search_delete` BEFORE DELETE ON `links`
BEGIN
  INSERT INTO `link_search` (`link_search`, rowid, `terms`)
  SELECT 'delete', `position`, `terms` FROM `link_search_terms` WHERE `position` = OLD.`position`;
END;--> statement-breakpoint
CREATE TRIGGER `links_search_update_before` BEFORE UPDATE OF `position`, `code_key`, `destination` ON `links`
WHEN NEW.`position` IS NOT OLD.`position` OR NEW.`code_key` <> OLD.`code_key` OR NEW.`destination` <> OLD.`destination`
BEGIN
  INSERT INTO `link_search` (`link_search`, rowid, `terms`)
  SELECT 'delete', `position`, `terms` FROM `link_search_terms` WHERE `position` = OLD.`position`;
END;--> statement-breakpoint
CREATE TRIGGER `links_search_update_after` AFTER UPDATE OF `position`, `code_key`, `destination` ON `links`
WHEN NEW.`position` IS NOT OLD.`position` OR NEW.`code_key` <> OLD.`code_key` OR NEW.`destination` <> OLD.`destination`
BEGIN
  INSERT INTO `link_search` (rowid, `terms`)
  SELECT `position`, `terms` FROM `link_search_terms` WHERE `position` = NEW.`position`;
END;

-- WITHOUT ROWID is written by hand.
CREATE TABLE `link_aliases` (
	`workspace_id` text NOT NULL,
	`code_key` text NOT NULL,
	`path` text NOT NULL,
	`is_former_code` integer NOT NULL,
	`link_id` text NOT NULL,
	PRIMARY KEY(`workspace_id`, `code_key`, `path`)
) WITHOUT ROWID;
--> statement-breakpoint
ALTER TABLE `links` ADD `aliases` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `links` ADD `former_codes` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
-- By hand from here.
-- All paths of links. Short codes and former short codes match in any case, other aliases exactly.
CREATE VIEW `link_addresses` AS
SELECT `workspace_id`, `code_key`, `short_code` AS `path`, 1 AS `any_case`, `id` AS `link_id` FROM `links`
UNION ALL
SELECT `workspace_id`, `code_key`, `path`, `is_former_code`, `link_id` FROM `link_aliases`;--> statement-breakpoint
CREATE TRIGGER `links_aliases_insert` AFTER INSERT ON `links` WHEN NEW.`aliases` <> '[]'
BEGIN
  INSERT INTO `link_aliases` (`workspace_id`, `code_key`, `path`, `is_former_code`, `link_id`)
  SELECT NEW.`workspace_id`, lower(`alias`.`value`), `alias`.`value`,
         `alias`.`value` IN (SELECT value FROM json_each(NEW.`former_codes`)), NEW.`id`
    FROM json_each(NEW.`aliases`) AS `alias` WHERE true
      ON CONFLICT DO UPDATE SET `is_former_code` = excluded.`is_former_code`, `link_id` = excluded.`link_id`;
END;--> statement-breakpoint
CREATE TRIGGER `links_aliases_update` AFTER UPDATE OF `aliases`, `former_codes` ON `links`
WHEN NEW.`aliases` <> OLD.`aliases` OR NEW.`former_codes` <> OLD.`former_codes`
BEGIN
  DELETE FROM `link_aliases` WHERE `workspace_id` = OLD.`workspace_id` AND `link_id` = OLD.`id`
     AND (`code_key`, `path`) IN (SELECT lower(value), value FROM json_each(OLD.`aliases`))
     AND (`path`, `is_former_code`) NOT IN (SELECT `alias`.`value`, `alias`.`value` IN (SELECT value FROM json_each(NEW.`former_codes`))
                                              FROM json_each(NEW.`aliases`) AS `alias`);
  INSERT INTO `link_aliases` (`workspace_id`, `code_key`, `path`, `is_former_code`, `link_id`)
  SELECT NEW.`workspace_id`, lower(`alias`.`value`), `alias`.`value`,
         `alias`.`value` IN (SELECT value FROM json_each(NEW.`former_codes`)), NEW.`id`
    FROM json_each(NEW.`aliases`) AS `alias`
   WHERE NOT EXISTS (SELECT 1 FROM `link_aliases` AS `kept`
                      WHERE `kept`.`workspace_id` = NEW.`workspace_id` AND `kept`.`code_key` = lower(`alias`.`value`)
                        AND `kept`.`path` = `alias`.`value` AND `kept`.`link_id` = NEW.`id`)
      ON CONFLICT DO UPDATE SET `is_former_code` = excluded.`is_former_code`, `link_id` = excluded.`link_id`;
END;--> statement-breakpoint
CREATE TRIGGER `links_aliases_delete` AFTER DELETE ON `links` WHEN OLD.`aliases` <> '[]'
BEGIN
  DELETE FROM `link_aliases` WHERE `workspace_id` = OLD.`workspace_id` AND `link_id` = OLD.`id`
     AND (`code_key`, `path`) IN (SELECT lower(value), value FROM json_each(OLD.`aliases`));
END;--> statement-breakpoint
-- A path that matches in any case is taken in three forms: as shown, in lower case and in upper case.
CREATE TRIGGER `link_aliases_taken` BEFORE INSERT ON `link_aliases`
WHEN EXISTS (SELECT 1 FROM `link_addresses` AS `other`
              WHERE `other`.`workspace_id` = NEW.`workspace_id` AND `other`.`code_key` = NEW.`code_key`
                AND `other`.`link_id` <> NEW.`link_id`
                AND (`other`.`path` = NEW.`path` OR (`other`.`any_case` AND NEW.`is_former_code`)
                  OR (`other`.`any_case` AND NEW.`path` IN (NEW.`code_key`, upper(NEW.`code_key`)))
                  OR (NEW.`is_former_code` AND `other`.`path` IN (NEW.`code_key`, upper(NEW.`code_key`)))))
  AND NOT EXISTS (SELECT 1 FROM `transits` WHERE `workspace_id` = NEW.`workspace_id` AND `state` = 'arriving')
BEGIN SELECT RAISE(ABORT, 'alias_taken'); END;--> statement-breakpoint
-- Bounds the cache entry of paths that differ only in case.
CREATE TRIGGER `link_aliases_variants` BEFORE INSERT ON `link_aliases`
WHEN (SELECT count(*) FROM `link_aliases` AS `other`
       WHERE `other`.`workspace_id` = NEW.`workspace_id` AND `other`.`code_key` = NEW.`code_key`) >= 50
  AND NOT EXISTS (SELECT 1 FROM `transits` WHERE `workspace_id` = NEW.`workspace_id` AND `state` = 'arriving')
BEGIN SELECT RAISE(ABORT, 'alias_variants'); END;--> statement-breakpoint
CREATE TRIGGER `links_code_insert` BEFORE INSERT ON `links`
WHEN EXISTS (SELECT 1 FROM `link_aliases` AS `alias`
              WHERE `alias`.`workspace_id` = NEW.`workspace_id` AND `alias`.`code_key` = NEW.`code_key`
                AND `alias`.`link_id` <> NEW.`id`
                AND (`alias`.`is_former_code` OR `alias`.`path` IN (NEW.`short_code`, NEW.`code_key`, upper(NEW.`code_key`))))
  AND NOT EXISTS (SELECT 1 FROM `transits` WHERE `workspace_id` = NEW.`workspace_id` AND `state` = 'arriving')
BEGIN SELECT RAISE(ABORT, 'code_taken'); END;--> statement-breakpoint
CREATE TRIGGER `links_code_update` BEFORE UPDATE OF `short_code`, `code_key` ON `links`
WHEN (NEW.`short_code` <> OLD.`short_code` OR NEW.`code_key` <> OLD.`code_key`)
  AND EXISTS (SELECT 1 FROM `link_aliases` AS `alias`
               WHERE `alias`.`workspace_id` = NEW.`workspace_id` AND `alias`.`code_key` = NEW.`code_key`
                 AND `alias`.`link_id` <> NEW.`id`
                 AND (`alias`.`is_former_code` OR `alias`.`path` IN (NEW.`short_code`, NEW.`code_key`, upper(NEW.`code_key`))))
  AND NOT EXISTS (SELECT 1 FROM `transits` WHERE `workspace_id` = NEW.`workspace_id` AND `state` = 'arriving')
BEGIN SELECT RAISE(ABORT, 'code_taken'); END;--> statement-breakpoint
-- Redirects cache paths that differ only in case together, under the path in lower case.
CREATE TRIGGER `link_aliases_target_insert` AFTER INSERT ON `link_aliases`
WHEN (SELECT count(*) FROM `link_addresses` AS `other`
       WHERE `other`.`workspace_id` = NEW.`workspace_id` AND `other`.`code_key` = NEW.`code_key`) > 1
BEGIN
  INSERT INTO `target_changes` (`workspace_id`, `code_key`, `changed_at`)
  VALUES (NEW.`workspace_id`, NEW.`code_key`, CAST(unixepoch('subsec') * 1000 AS INTEGER));
END;--> statement-breakpoint
CREATE TRIGGER `link_aliases_target_delete` AFTER DELETE ON `link_aliases`
BEGIN
  INSERT INTO `target_changes` (`workspace_id`, `code_key`, `changed_at`)
  VALUES (OLD.`workspace_id`, OLD.`code_key`, CAST(unixepoch('subsec') * 1000 AS INTEGER));
END;--> statement-breakpoint
CREATE TRIGGER `links_target_insert` AFTER INSERT ON `links`
WHEN EXISTS (SELECT 1 FROM `link_aliases` WHERE `workspace_id` = NEW.`workspace_id` AND `code_key` = NEW.`code_key`)
BEGIN
  INSERT INTO `target_changes` (`workspace_id`, `code_key`, `changed_at`)
  VALUES (NEW.`workspace_id`, NEW.`code_key`, CAST(unixepoch('subsec') * 1000 AS INTEGER));
END;--> statement-breakpoint
DROP TRIGGER `links_target_update`;--> statement-breakpoint
CREATE TRIGGER `links_target_update`
AFTER UPDATE OF `workspace_id`, `short_code`, `code_key`, `destination`, `routing_rules`, `enabled`, `expires_at`,
  `starts_at`, `early_url`, `expired_url`, `max_scans`, `password_hash`, `forward_query`, `preview` ON `links`
WHEN NEW.`workspace_id` <> OLD.`workspace_id` OR NEW.`short_code` <> OLD.`short_code` OR NEW.`code_key` <> OLD.`code_key`
  OR NEW.`destination` <> OLD.`destination`
  OR NEW.`routing_rules` <> OLD.`routing_rules` OR NEW.`enabled` <> OLD.`enabled` OR NEW.`expires_at` IS NOT OLD.`expires_at`
  OR NEW.`starts_at` IS NOT OLD.`starts_at` OR NEW.`early_url` IS NOT OLD.`early_url`
  OR NEW.`expired_url` IS NOT OLD.`expired_url` OR NEW.`max_scans` IS NOT OLD.`max_scans`
  OR NEW.`password_hash` IS NOT OLD.`password_hash` OR NEW.`forward_query` <> OLD.`forward_query`
  OR NEW.`preview` IS NOT OLD.`preview`
BEGIN
  INSERT INTO `target_changes` (`workspace_id`, `code_key`, `changed_at`)
  VALUES (OLD.`workspace_id`, OLD.`code_key`, CAST(unixepoch('subsec') * 1000 AS INTEGER));
END;--> statement-breakpoint
CREATE TRIGGER `links_target_rename` AFTER UPDATE OF `code_key` ON `links` WHEN NEW.`code_key` <> OLD.`code_key`
BEGIN
  INSERT INTO `target_changes` (`workspace_id`, `code_key`, `changed_at`)
  VALUES (NEW.`workspace_id`, NEW.`code_key`, CAST(unixepoch('subsec') * 1000 AS INTEGER));
END;--> statement-breakpoint
-- Searches find aliases.
DROP VIEW `link_search_terms`;--> statement-breakpoint
CREATE VIEW `link_search_terms` AS
SELECT `position`,
       -- SQLite would compute the text again for every character if the recursion counted instead of shortening it.
       (WITH RECURSIVE `tails`(`tail`, `prefix`) AS (SELECT `text`, `prefix` UNION ALL
                                                    SELECT substr(`tail`, 2), `prefix` FROM `tails` WHERE length(`tail`) > 3)
        SELECT group_concat(`prefix` || hex(substr(`tail`, 1, 3)), ' ') FROM `tails`) AS `terms`
  FROM (SELECT `position`, printf('%xz', `number`) AS `prefix`,
               char(2, 2) || `code_key` || char(2) || lower(substr(`destination`, 1, 1024))
                          || coalesce(char(2) || lower(`title`), '')
                          || iif(`aliases` = '[]', '', (SELECT group_concat(char(2, 2) || lower(value), '') FROM json_each(`aliases`))) AS `text`
          FROM `links` JOIN `tenants` ON `tenants`.`id` = `workspace_id`
         WHERE `position` IS NOT NULL);--> statement-breakpoint
DROP TRIGGER `links_search_update_before`;--> statement-breakpoint
CREATE TRIGGER `links_search_update_before` BEFORE UPDATE OF `position`, `code_key`, `destination`, `title`, `aliases` ON `links`
WHEN NEW.`position` IS NOT OLD.`position` OR NEW.`code_key` <> OLD.`code_key` OR NEW.`destination` <> OLD.`destination`
  OR NEW.`title` IS NOT OLD.`title` OR NEW.`aliases` <> OLD.`aliases`
BEGIN
  INSERT INTO `link_search` (`link_search`, rowid, `terms`)
  SELECT 'delete', `position`, `terms` FROM `link_search_terms` WHERE `position` = OLD.`position`;
END;--> statement-breakpoint
DROP TRIGGER `links_search_update_after`;--> statement-breakpoint
CREATE TRIGGER `links_search_update_after` AFTER UPDATE OF `position`, `code_key`, `destination`, `title`, `aliases` ON `links`
WHEN NEW.`position` IS NOT OLD.`position` OR NEW.`code_key` <> OLD.`code_key` OR NEW.`destination` <> OLD.`destination`
  OR NEW.`title` IS NOT OLD.`title` OR NEW.`aliases` <> OLD.`aliases`
BEGIN
  INSERT INTO `link_search` (rowid, `terms`)
  SELECT `position`, `terms` FROM `link_search_terms` WHERE `position` = NEW.`position`;
END;

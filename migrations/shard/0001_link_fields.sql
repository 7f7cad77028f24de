ALTER TABLE `tenants` ADD `archived_count` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `links` ADD `title` text;--> statement-breakpoint
ALTER TABLE `links` ADD `note` text;--> statement-breakpoint
ALTER TABLE `links` ADD `archived` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `links` ADD `starts_at` integer;--> statement-breakpoint
ALTER TABLE `links` ADD `early_url` text;--> statement-breakpoint
ALTER TABLE `links` ADD `early_host` text;--> statement-breakpoint
ALTER TABLE `links` ADD `expired_url` text;--> statement-breakpoint
ALTER TABLE `links` ADD `expired_host` text;--> statement-breakpoint
ALTER TABLE `links` ADD `max_scans` integer;--> statement-breakpoint
ALTER TABLE `links` ADD `password_hash` text;--> statement-breakpoint
ALTER TABLE `links` ADD `forward_query` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `links` ADD `preview` text;--> statement-breakpoint
ALTER TABLE `links` ADD `imported_scans` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `links` ADD `ranked_scan_count` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `links` ADD `ranked_scan_at` integer;--> statement-breakpoint
-- By hand: links that were scanned before have their places in sorted lists from the start. Before the indexes, which are
-- then written once.
UPDATE `links` SET `ranked_scan_count` = `scan_count`, `ranked_scan_at` = `last_scan_at` WHERE `scan_count` > 0;--> statement-breakpoint
CREATE INDEX `links_listed` ON `links` (`workspace_id`,`id`) WHERE "links"."archived" = 0;--> statement-breakpoint
CREATE INDEX `links_archived` ON `links` (`workspace_id`,`id`) WHERE "links"."archived" = 1;--> statement-breakpoint
CREATE INDEX `links_most_scanned` ON `links` (`workspace_id`,`ranked_scan_count`,`id`) WHERE "links"."ranked_scan_count" > 0;--> statement-breakpoint
CREATE INDEX `links_last_scanned` ON `links` (`workspace_id`,`ranked_scan_at`,`id`) WHERE "links"."ranked_scan_at" is not null;--> statement-breakpoint
-- By hand from here, as in the first migration.
-- A link must not lead to a short host before its start or after its end either.
DROP TRIGGER `links_own_host_insert`;--> statement-breakpoint
CREATE TRIGGER `links_own_host_insert` BEFORE INSERT ON `links`
WHEN EXISTS (SELECT 1 FROM `own_hosts` WHERE `hostname` IN (NEW.`destination_host`, NEW.`early_host`, NEW.`expired_host`)
                                       OR `hostname` IN (SELECT value FROM json_each(NEW.`rule_hosts`)))
  AND NOT EXISTS (SELECT 1 FROM `transits` WHERE `workspace_id` = NEW.`workspace_id` AND `state` = 'arriving')
BEGIN SELECT RAISE(ABORT, 'links_own_host'); END;--> statement-breakpoint
CREATE TRIGGER `links_own_host_early` BEFORE UPDATE OF `early_host` ON `links`
WHEN EXISTS (SELECT 1 FROM `own_hosts` WHERE `hostname` = NEW.`early_host`)
  AND NOT EXISTS (SELECT 1 FROM `transits` WHERE `workspace_id` = NEW.`workspace_id` AND `state` = 'arriving')
BEGIN SELECT RAISE(ABORT, 'links_own_host'); END;--> statement-breakpoint
CREATE TRIGGER `links_own_host_expired` BEFORE UPDATE OF `expired_host` ON `links`
WHEN EXISTS (SELECT 1 FROM `own_hosts` WHERE `hostname` = NEW.`expired_host`)
  AND NOT EXISTS (SELECT 1 FROM `transits` WHERE `workspace_id` = NEW.`workspace_id` AND `state` = 'arriving')
BEGIN SELECT RAISE(ABORT, 'links_own_host'); END;--> statement-breakpoint
-- The numbers of links and of archived links of each workspace.
DROP TRIGGER `links_count_insert`;--> statement-breakpoint
CREATE TRIGGER `links_count_insert` AFTER INSERT ON `links`
BEGIN
  UPDATE `tenants` SET `link_count` = `link_count` + 1, `archived_count` = `archived_count` + NEW.`archived`
   WHERE `id` = NEW.`workspace_id`;
END;--> statement-breakpoint
DROP TRIGGER `links_count_delete`;--> statement-breakpoint
CREATE TRIGGER `links_count_delete` AFTER DELETE ON `links`
BEGIN
  UPDATE `tenants` SET `link_count` = `link_count` - 1, `archived_count` = `archived_count` - OLD.`archived`
   WHERE `id` = OLD.`workspace_id`;
END;--> statement-breakpoint
CREATE TRIGGER `links_count_archived` AFTER UPDATE OF `archived` ON `links` WHEN NEW.`archived` <> OLD.`archived`
BEGIN
  UPDATE `tenants` SET `archived_count` = `archived_count` + NEW.`archived` - OLD.`archived` WHERE `id` = NEW.`workspace_id`;
END;--> statement-breakpoint
-- Keys of sorted lists. An index on the count or the time itself would be written with each scan.
CREATE TRIGGER `links_rank_count` AFTER UPDATE OF `scan_count` ON `links`
WHEN NEW.`scan_count` > NEW.`ranked_scan_count` + NEW.`ranked_scan_count` / 4
BEGIN UPDATE `links` SET `ranked_scan_count` = `scan_count` WHERE `workspace_id` = NEW.`workspace_id` AND `id` = NEW.`id`; END;--> statement-breakpoint
CREATE TRIGGER `links_rank_time` AFTER UPDATE OF `last_scan_at` ON `links`
WHEN NEW.`last_scan_at` / 86400000 > coalesce(NEW.`ranked_scan_at`, -1) / 86400000
BEGIN UPDATE `links` SET `ranked_scan_at` = `last_scan_at` WHERE `workspace_id` = NEW.`workspace_id` AND `id` = NEW.`id`; END;--> statement-breakpoint
-- The title is searched too. The terms of a link without a title stay as they are, so the index need not be filled again.
DROP TRIGGER `links_search_insert`;--> statement-breakpoint
DROP TRIGGER `links_search_delete`;--> statement-breakpoint
DROP TRIGGER `links_search_update_before`;--> statement-breakpoint
DROP TRIGGER `links_search_update_after`;--> statement-breakpoint
DROP VIEW `link_search_terms`;--> statement-breakpoint
CREATE VIEW `link_search_terms` AS
SELECT `position`,
       -- SQLite would compute the text again for every character if the recursion counted instead of shortening it.
       (WITH RECURSIVE `tails`(`tail`, `prefix`) AS (SELECT `text`, `prefix` UNION ALL
                                                    SELECT substr(`tail`, 2), `prefix` FROM `tails` WHERE length(`tail`) > 3)
        SELECT group_concat(`prefix` || hex(substr(`tail`, 1, 3)), ' ') FROM `tails`) AS `terms`
  FROM (SELECT `position`, printf('%xz', `number`) AS `prefix`,
               char(2, 2) || `code_key` || char(2) || lower(substr(`destination`, 1, 1024))
                          || coalesce(char(2) || lower(`title`), '') AS `text`
          FROM `links` JOIN `tenants` ON `tenants`.`id` = `workspace_id`
         WHERE `position` IS NOT NULL);--> statement-breakpoint
CREATE TRIGGER `links_search_insert` AFTER INSERT ON `links`
BEGIN
  INSERT INTO `link_search` (rowid, `terms`)
  SELECT `position`, `terms` FROM `link_search_terms` WHERE `position` = NEW.`position`;
END;--> statement-breakpoint
CREATE TRIGGER `links_search_delete` BEFORE DELETE ON `links`
BEGIN
  INSERT INTO `link_search` (`link_search`, rowid, `terms`)
  SELECT 'delete', `position`, `terms` FROM `link_search_terms` WHERE `position` = OLD.`position`;
END;--> statement-breakpoint
CREATE TRIGGER `links_search_update_before` BEFORE UPDATE OF `position`, `code_key`, `destination`, `title` ON `links`
WHEN NEW.`position` IS NOT OLD.`position` OR NEW.`code_key` <> OLD.`code_key` OR NEW.`destination` <> OLD.`destination`
  OR NEW.`title` IS NOT OLD.`title`
BEGIN
  INSERT INTO `link_search` (`link_search`, rowid, `terms`)
  SELECT 'delete', `position`, `terms` FROM `link_search_terms` WHERE `position` = OLD.`position`;
END;--> statement-breakpoint
CREATE TRIGGER `links_search_update_after` AFTER UPDATE OF `position`, `code_key`, `destination`, `title` ON `links`
WHEN NEW.`position` IS NOT OLD.`position` OR NEW.`code_key` <> OLD.`code_key` OR NEW.`destination` <> OLD.`destination`
  OR NEW.`title` IS NOT OLD.`title`
BEGIN
  INSERT INTO `link_search` (rowid, `terms`)
  SELECT `position`, `terms` FROM `link_search_terms` WHERE `position` = NEW.`position`;
END;--> statement-breakpoint
-- Redirects notice the new columns. Title, note, archived and imported scans are not for them.
DROP TRIGGER `links_target_update`;--> statement-breakpoint
CREATE TRIGGER `links_target_update`
AFTER UPDATE OF `workspace_id`, `short_code`, `code_key`, `is_custom`, `destination`, `routing_rules`, `enabled`, `expires_at`,
  `starts_at`, `early_url`, `expired_url`, `max_scans`, `password_hash`, `forward_query`, `preview` ON `links`
WHEN NEW.`workspace_id` <> OLD.`workspace_id` OR NEW.`short_code` <> OLD.`short_code` OR NEW.`code_key` <> OLD.`code_key`
  OR NEW.`is_custom` <> OLD.`is_custom` OR NEW.`destination` <> OLD.`destination`
  OR NEW.`routing_rules` <> OLD.`routing_rules` OR NEW.`enabled` <> OLD.`enabled` OR NEW.`expires_at` IS NOT OLD.`expires_at`
  OR NEW.`starts_at` IS NOT OLD.`starts_at` OR NEW.`early_url` IS NOT OLD.`early_url`
  OR NEW.`expired_url` IS NOT OLD.`expired_url` OR NEW.`max_scans` IS NOT OLD.`max_scans`
  OR NEW.`password_hash` IS NOT OLD.`password_hash` OR NEW.`forward_query` <> OLD.`forward_query`
  OR NEW.`preview` IS NOT OLD.`preview`
BEGIN
  INSERT INTO `target_changes` (`workspace_id`, `code_key`, `changed_at`)
  VALUES (OLD.`workspace_id`, OLD.`code_key`, CAST(unixepoch('subsec') * 1000 AS INTEGER));
END;

-- WITHOUT ROWID is written by hand.
CREATE TABLE `watched_links` (
	`link_id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`due_at` integer DEFAULT 0 NOT NULL,
	`failures` integer DEFAULT 0 NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `watched_links_due` ON `watched_links` (`due_at`);--> statement-breakpoint
ALTER TABLE `links` ADD `confirm` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `links` ADD `destination_status` text;--> statement-breakpoint
CREATE INDEX `links_broken` ON `links` (`workspace_id`,`id`) WHERE "links"."destination_status" = 'broken';--> statement-breakpoint
ALTER TABLE `scan_history` ADD `scanner` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `scan_months` ADD `scanner` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
-- By hand from here. Redirects need `confirm`.
DROP TRIGGER `links_target_update`;--> statement-breakpoint
CREATE TRIGGER `links_target_update`
AFTER UPDATE OF `workspace_id`, `short_code`, `code_key`, `destination`, `routing_rules`, `enabled`, `expires_at`,
  `starts_at`, `early_url`, `expired_url`, `max_scans`, `password_hash`, `forward_query`, `preview`, `banned_at`, `confirm` ON `links`
WHEN NEW.`workspace_id` <> OLD.`workspace_id` OR NEW.`short_code` <> OLD.`short_code` OR NEW.`code_key` <> OLD.`code_key`
  OR NEW.`destination` <> OLD.`destination`
  OR NEW.`routing_rules` <> OLD.`routing_rules` OR NEW.`enabled` <> OLD.`enabled` OR NEW.`expires_at` IS NOT OLD.`expires_at`
  OR NEW.`starts_at` IS NOT OLD.`starts_at` OR NEW.`early_url` IS NOT OLD.`early_url`
  OR NEW.`expired_url` IS NOT OLD.`expired_url` OR NEW.`max_scans` IS NOT OLD.`max_scans`
  OR NEW.`password_hash` IS NOT OLD.`password_hash` OR NEW.`forward_query` <> OLD.`forward_query`
  OR NEW.`preview` IS NOT OLD.`preview` OR NEW.`banned_at` IS NOT OLD.`banned_at` OR NEW.`confirm` <> OLD.`confirm`
BEGIN
  INSERT INTO `target_changes` (`workspace_id`, `code_key`, `changed_at`)
  SELECT OLD.`workspace_id`, `key`, CAST(unixepoch('subsec') * 1000 AS INTEGER)
    FROM (SELECT OLD.`code_key` AS `key` UNION SELECT lower(value) FROM json_each(OLD.`aliases`));
END;--> statement-breakpoint
-- The first scan of a day adds a link to the watched ones. So does the insertion of a restored or moved link that was
-- checked before.
CREATE TRIGGER `links_watch_scan` AFTER UPDATE OF `ranked_scan_at` ON `links` WHEN NEW.`ranked_scan_at` IS NOT NULL
BEGIN
  INSERT INTO `watched_links` (`link_id`, `workspace_id`) VALUES (NEW.`id`, NEW.`workspace_id`) ON CONFLICT DO NOTHING;
END;--> statement-breakpoint
CREATE TRIGGER `links_watch_insert` AFTER INSERT ON `links` WHEN NEW.`destination_status` IS NOT NULL
BEGIN
  INSERT INTO `watched_links` (`link_id`, `workspace_id`) VALUES (NEW.`id`, NEW.`workspace_id`) ON CONFLICT DO NOTHING;
END;--> statement-breakpoint
CREATE TRIGGER `links_watch_delete` AFTER DELETE ON `links`
BEGIN
  DELETE FROM `watched_links` WHERE `link_id` = OLD.`id`;
END;--> statement-breakpoint
-- A changed destination is checked as if it were new.
CREATE TRIGGER `links_watch_update` AFTER UPDATE OF `destination` ON `links` WHEN NEW.`destination` <> OLD.`destination`
BEGIN
  UPDATE `links` SET `destination_status` = NULL WHERE `id` = NEW.`id` AND `destination_status` IS NOT NULL;
  UPDATE `watched_links` SET `due_at` = 0, `failures` = 0 WHERE `link_id` = NEW.`id`;
END;
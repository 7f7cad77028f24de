-- WITHOUT ROWID is written by hand.
CREATE TABLE `blocked_hosts` (
	`hostname` text PRIMARY KEY NOT NULL,
	`number` integer,
	`is_blocked` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `blocked_hosts_number` ON `blocked_hosts` (`number`);--> statement-breakpoint
ALTER TABLE `links` ADD `banned_at` integer;--> statement-breakpoint
CREATE INDEX `links_banned` ON `links` (`workspace_id`,`id`) WHERE "links"."banned_at" is not null;--> statement-breakpoint
ALTER TABLE `bio_pages` ADD `link_hosts` text;--> statement-breakpoint
-- By hand from here.
CREATE TRIGGER `blocked_hosts_target_insert` AFTER INSERT ON `blocked_hosts`
BEGIN
  INSERT INTO `target_changes` (`workspace_id`, `code_key`, `changed_at`) VALUES ('', NEW.`hostname`, CAST(unixepoch('subsec') * 1000 AS INTEGER));
END;--> statement-breakpoint
CREATE TRIGGER `blocked_hosts_target_update` AFTER UPDATE ON `blocked_hosts` WHEN NEW.`is_blocked` <> OLD.`is_blocked`
BEGIN
  INSERT INTO `target_changes` (`workspace_id`, `code_key`, `changed_at`) VALUES ('', NEW.`hostname`, CAST(unixepoch('subsec') * 1000 AS INTEGER));
END;--> statement-breakpoint
-- A blocked host includes the names below it. Hosts of local development may end with a slash.
CREATE TRIGGER `links_blocked_insert` BEFORE INSERT ON `links`
WHEN EXISTS (SELECT 1 FROM `blocked_hosts`) AND EXISTS (
    WITH RECURSIVE `names`(`name`) AS (
      SELECT rtrim(value, '/') FROM json_each(json_insert(NEW.`rule_hosts`, '$[#]', NEW.`destination_host`, '$[#]', NEW.`early_host`, '$[#]', NEW.`expired_host`))
       UNION SELECT substr(`name`, instr(`name`, '.') + 1) FROM `names` WHERE `name` LIKE '%.%.%')
    SELECT 1 FROM `names` CROSS JOIN `blocked_hosts` ON `hostname` = `name` WHERE `is_blocked`)
  AND NOT EXISTS (SELECT 1 FROM `transits` WHERE `workspace_id` = NEW.`workspace_id` AND `state` = 'arriving')
BEGIN SELECT RAISE(ABORT, 'links_blocked_host'); END;--> statement-breakpoint
CREATE TRIGGER `links_blocked_destination` BEFORE UPDATE OF `destination_host` ON `links`
WHEN EXISTS (SELECT 1 FROM `blocked_hosts`) AND EXISTS (
    WITH RECURSIVE `names`(`name`) AS (
      SELECT rtrim(NEW.`destination_host`, '/')
       UNION SELECT substr(`name`, instr(`name`, '.') + 1) FROM `names` WHERE `name` LIKE '%.%.%')
    SELECT 1 FROM `names` CROSS JOIN `blocked_hosts` ON `hostname` = `name` WHERE `is_blocked`)
  AND NOT EXISTS (SELECT 1 FROM `transits` WHERE `workspace_id` = NEW.`workspace_id` AND `state` = 'arriving')
BEGIN SELECT RAISE(ABORT, 'links_blocked_host'); END;--> statement-breakpoint
CREATE TRIGGER `links_blocked_early` BEFORE UPDATE OF `early_host` ON `links`
WHEN EXISTS (SELECT 1 FROM `blocked_hosts`) AND EXISTS (
    WITH RECURSIVE `names`(`name`) AS (
      SELECT rtrim(NEW.`early_host`, '/')
       UNION SELECT substr(`name`, instr(`name`, '.') + 1) FROM `names` WHERE `name` LIKE '%.%.%')
    SELECT 1 FROM `names` CROSS JOIN `blocked_hosts` ON `hostname` = `name` WHERE `is_blocked`)
  AND NOT EXISTS (SELECT 1 FROM `transits` WHERE `workspace_id` = NEW.`workspace_id` AND `state` = 'arriving')
BEGIN SELECT RAISE(ABORT, 'links_blocked_host'); END;--> statement-breakpoint
CREATE TRIGGER `links_blocked_expired` BEFORE UPDATE OF `expired_host` ON `links`
WHEN EXISTS (SELECT 1 FROM `blocked_hosts`) AND EXISTS (
    WITH RECURSIVE `names`(`name`) AS (
      SELECT rtrim(NEW.`expired_host`, '/')
       UNION SELECT substr(`name`, instr(`name`, '.') + 1) FROM `names` WHERE `name` LIKE '%.%.%')
    SELECT 1 FROM `names` CROSS JOIN `blocked_hosts` ON `hostname` = `name` WHERE `is_blocked`)
  AND NOT EXISTS (SELECT 1 FROM `transits` WHERE `workspace_id` = NEW.`workspace_id` AND `state` = 'arriving')
BEGIN SELECT RAISE(ABORT, 'links_blocked_host'); END;--> statement-breakpoint
CREATE TRIGGER `links_blocked_rules` BEFORE UPDATE OF `rule_hosts` ON `links`
WHEN EXISTS (SELECT 1 FROM `blocked_hosts`) AND EXISTS (
    WITH RECURSIVE `names`(`name`) AS (
      SELECT rtrim(value, '/') FROM json_each(NEW.`rule_hosts`)
       UNION SELECT substr(`name`, instr(`name`, '.') + 1) FROM `names` WHERE `name` LIKE '%.%.%')
    SELECT 1 FROM `names` CROSS JOIN `blocked_hosts` ON `hostname` = `name` WHERE `is_blocked`)
  AND NOT EXISTS (SELECT 1 FROM `transits` WHERE `workspace_id` = NEW.`workspace_id` AND `state` = 'arriving')
BEGIN SELECT RAISE(ABORT, 'links_blocked_host'); END;--> statement-breakpoint
CREATE TRIGGER `bio_pages_blocked_insert` BEFORE INSERT ON `bio_pages`
WHEN EXISTS (SELECT 1 FROM `blocked_hosts`) AND EXISTS (
    WITH RECURSIVE `names`(`name`) AS (
      SELECT value FROM json_each(NEW.`link_hosts`)
       UNION SELECT substr(`name`, instr(`name`, '.') + 1) FROM `names` WHERE `name` LIKE '%.%.%')
    SELECT 1 FROM `names` CROSS JOIN `blocked_hosts` ON `hostname` = `name` WHERE `is_blocked`)
  AND NOT EXISTS (SELECT 1 FROM `transits` WHERE `workspace_id` = NEW.`workspace_id` AND `state` = 'arriving')
BEGIN SELECT RAISE(ABORT, 'bio_pages_blocked_host'); END;--> statement-breakpoint
CREATE TRIGGER `bio_pages_blocked_update` BEFORE UPDATE OF `link_hosts` ON `bio_pages`
WHEN EXISTS (SELECT 1 FROM `blocked_hosts`) AND EXISTS (
    WITH RECURSIVE `names`(`name`) AS (
      SELECT value FROM json_each(NEW.`link_hosts`)
       UNION SELECT substr(`name`, instr(`name`, '.') + 1) FROM `names` WHERE `name` LIKE '%.%.%')
    SELECT 1 FROM `names` CROSS JOIN `blocked_hosts` ON `hostname` = `name` WHERE `is_blocked`)
  AND NOT EXISTS (SELECT 1 FROM `transits` WHERE `workspace_id` = NEW.`workspace_id` AND `state` = 'arriving')
BEGIN SELECT RAISE(ABORT, 'bio_pages_blocked_host'); END;--> statement-breakpoint
-- A banned link stays as it is. Every change that people make sets `updated_at`; counts of scans do not.
CREATE TRIGGER `links_banned_update` BEFORE UPDATE OF `updated_at` ON `links`
WHEN OLD.`banned_at` IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM `transits` WHERE `workspace_id` = NEW.`workspace_id` AND `state` = 'arriving')
BEGIN SELECT RAISE(ABORT, 'link_banned'); END;--> statement-breakpoint
CREATE TRIGGER `links_banned_delete` BEFORE DELETE ON `links`
WHEN OLD.`banned_at` IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM `transits` WHERE `workspace_id` = OLD.`workspace_id` AND `state` IN ('arriving', 'fenced', 'left'))
BEGIN SELECT RAISE(ABORT, 'link_banned'); END;--> statement-breakpoint
-- Bans are changes too. Entries of aliases have keys of their own in the caches.
DROP TRIGGER `links_target_update`;--> statement-breakpoint
CREATE TRIGGER `links_target_update`
AFTER UPDATE OF `workspace_id`, `short_code`, `code_key`, `destination`, `routing_rules`, `enabled`, `expires_at`,
  `starts_at`, `early_url`, `expired_url`, `max_scans`, `password_hash`, `forward_query`, `preview`, `banned_at` ON `links`
WHEN NEW.`workspace_id` <> OLD.`workspace_id` OR NEW.`short_code` <> OLD.`short_code` OR NEW.`code_key` <> OLD.`code_key`
  OR NEW.`destination` <> OLD.`destination`
  OR NEW.`routing_rules` <> OLD.`routing_rules` OR NEW.`enabled` <> OLD.`enabled` OR NEW.`expires_at` IS NOT OLD.`expires_at`
  OR NEW.`starts_at` IS NOT OLD.`starts_at` OR NEW.`early_url` IS NOT OLD.`early_url`
  OR NEW.`expired_url` IS NOT OLD.`expired_url` OR NEW.`max_scans` IS NOT OLD.`max_scans`
  OR NEW.`password_hash` IS NOT OLD.`password_hash` OR NEW.`forward_query` <> OLD.`forward_query`
  OR NEW.`preview` IS NOT OLD.`preview` OR NEW.`banned_at` IS NOT OLD.`banned_at`
BEGIN
  INSERT INTO `target_changes` (`workspace_id`, `code_key`, `changed_at`)
  SELECT OLD.`workspace_id`, `key`, CAST(unixepoch('subsec') * 1000 AS INTEGER)
    FROM (SELECT OLD.`code_key` AS `key` UNION SELECT lower(value) FROM json_each(OLD.`aliases`));
END;

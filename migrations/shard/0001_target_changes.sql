CREATE TABLE `target_changes` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`workspace_id` text NOT NULL,
	`code_key` text NOT NULL,
	`changed_at` integer NOT NULL
);
--> statement-breakpoint
-- By hand from here: drizzle-kit knows no triggers.
-- A creation is no change: that there is no link is kept for seconds only. A scan changes none of these columns.
CREATE TRIGGER `links_target_update`
AFTER UPDATE OF `workspace_id`, `short_code`, `code_key`, `is_custom`, `destination`, `routing_rules`, `enabled`, `expires_at` ON `links`
WHEN NEW.`workspace_id` <> OLD.`workspace_id` OR NEW.`short_code` <> OLD.`short_code` OR NEW.`code_key` <> OLD.`code_key`
  OR NEW.`is_custom` <> OLD.`is_custom` OR NEW.`destination` <> OLD.`destination`
  OR NEW.`routing_rules` <> OLD.`routing_rules` OR NEW.`enabled` <> OLD.`enabled` OR NEW.`expires_at` IS NOT OLD.`expires_at`
BEGIN
  INSERT INTO `target_changes` (`workspace_id`, `code_key`, `changed_at`)
  VALUES (OLD.`workspace_id`, OLD.`code_key`, CAST(unixepoch('subsec') * 1000 AS INTEGER));
END;--> statement-breakpoint
CREATE TRIGGER `links_target_delete` AFTER DELETE ON `links`
BEGIN
  INSERT INTO `target_changes` (`workspace_id`, `code_key`, `changed_at`)
  VALUES (OLD.`workspace_id`, OLD.`code_key`, CAST(unixepoch('subsec') * 1000 AS INTEGER));
END;--> statement-breakpoint
-- A redirect must not lead to a host that became a short host after its link was written.
CREATE TRIGGER `own_hosts_target_insert` AFTER INSERT ON `own_hosts`
BEGIN
  INSERT INTO `target_changes` (`workspace_id`, `code_key`, `changed_at`)
  VALUES ('', NEW.`hostname`, CAST(unixepoch('subsec') * 1000 AS INTEGER));
END;--> statement-breakpoint
CREATE TRIGGER `own_hosts_target_delete` AFTER DELETE ON `own_hosts`
BEGIN
  INSERT INTO `target_changes` (`workspace_id`, `code_key`, `changed_at`)
  VALUES ('', OLD.`hostname`, CAST(unixepoch('subsec') * 1000 AS INTEGER));
END;

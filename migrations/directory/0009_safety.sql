CREATE TABLE `blocked_hosts` (
	`number` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`hostname` text NOT NULL,
	`is_blocked` integer NOT NULL,
	`changed_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `blocked_hosts_hostname` ON `blocked_hosts` (`hostname`);--> statement-breakpoint
ALTER TABLE `workspaces` ADD `suspended_at` integer;--> statement-breakpoint
CREATE INDEX `workspaces_suspended` ON `workspaces` (`id`) WHERE "workspaces"."suspended_at" is not null;--> statement-breakpoint
-- By hand from here, as drizzle-kit knows no triggers. Redirects learn of suspensions and of blocked hosts.
CREATE TRIGGER `workspaces_host_suspend` AFTER UPDATE OF `suspended_at` ON `workspaces`
WHEN NEW.`suspended_at` IS NOT OLD.`suspended_at`
BEGIN
  INSERT INTO `host_changes` (`hostname`, `changed_at`)
  SELECT `hostname`, CAST(unixepoch('subsec') * 1000 AS INTEGER) FROM `domains` WHERE `workspace_id` = NEW.`id`;
END;--> statement-breakpoint
-- The slash keeps the change in the feed as long as cache entries live, because their keys don't contain the host.
CREATE TRIGGER `blocked_hosts_insert` AFTER INSERT ON `blocked_hosts`
BEGIN
  INSERT INTO `host_changes` (`hostname`, `changed_at`) VALUES ('/' || NEW.`hostname`, CAST(unixepoch('subsec') * 1000 AS INTEGER));
END;

CREATE TABLE `host_changes` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`hostname` text NOT NULL,
	`changed_at` integer NOT NULL
);
--> statement-breakpoint
-- By hand from here: drizzle-kit knows no triggers.
CREATE TRIGGER `domains_host_insert` AFTER INSERT ON `domains`
BEGIN
  INSERT INTO `host_changes` (`hostname`, `changed_at`)
  VALUES (NEW.`hostname`, CAST(unixepoch('subsec') * 1000 AS INTEGER));
END;--> statement-breakpoint
CREATE TRIGGER `domains_host_update` AFTER UPDATE OF `hostname`, `workspace_id` ON `domains`
WHEN NEW.`hostname` <> OLD.`hostname` OR NEW.`workspace_id` <> OLD.`workspace_id`
BEGIN
  INSERT INTO `host_changes` (`hostname`, `changed_at`)
  VALUES (OLD.`hostname`, CAST(unixepoch('subsec') * 1000 AS INTEGER)),
         (NEW.`hostname`, CAST(unixepoch('subsec') * 1000 AS INTEGER));
END;--> statement-breakpoint
CREATE TRIGGER `domains_host_delete` AFTER DELETE ON `domains`
BEGIN
  INSERT INTO `host_changes` (`hostname`, `changed_at`)
  VALUES (OLD.`hostname`, CAST(unixepoch('subsec') * 1000 AS INTEGER));
END;--> statement-breakpoint
-- The hosts of a workspace follow it to another shard.
CREATE TRIGGER `workspaces_host_update` AFTER UPDATE OF `shard` ON `workspaces` WHEN NEW.`shard` <> OLD.`shard`
BEGIN
  INSERT INTO `host_changes` (`hostname`, `changed_at`)
  SELECT `hostname`, CAST(unixepoch('subsec') * 1000 AS INTEGER) FROM `domains` WHERE `workspace_id` = NEW.`id`;
END;

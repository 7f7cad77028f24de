CREATE TABLE `held_names` (
	`name` text PRIMARY KEY NOT NULL,
	`rule` text NOT NULL,
	`workspace_id` text,
	`held_until` integer
);
--> statement-breakpoint
CREATE INDEX `held_names_workspace` ON `held_names` (`workspace_id`,`held_until`);--> statement-breakpoint
CREATE INDEX `held_names_until` ON `held_names` (`held_until`);--> statement-breakpoint
-- By hand, as drizzle-kit knows no triggers. Every way of removing a host holds it for its workspace for 365 days.
CREATE TRIGGER `domains_hold` AFTER DELETE ON `domains`
BEGIN
  INSERT INTO `held_names` (`name`, `rule`, `workspace_id`, `held_until`)
  VALUES (OLD.`hostname`, 'used', OLD.`workspace_id`, unixepoch() * 1000 + 31536000000)
  ON CONFLICT (`name`) DO UPDATE SET `rule` = 'used', `workspace_id` = excluded.`workspace_id`, `held_until` = excluded.`held_until`
  WHERE `rule` <> 'reserved';
END;

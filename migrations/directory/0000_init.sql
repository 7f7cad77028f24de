CREATE TABLE `members` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`email` text NOT NULL,
	`name` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `members_email` ON `members` (`workspace_id`,`email`);--> statement-breakpoint
CREATE INDEX `members_joined` ON `members` (`workspace_id`,`id`);--> statement-breakpoint
CREATE TABLE `domains` (
	`number` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`hostname` text NOT NULL,
	`workspace_id` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `domains_hostname` ON `domains` (`hostname`);--> statement-breakpoint
CREATE INDEX `domains_workspace` ON `domains` (`workspace_id`,`number`);--> statement-breakpoint
CREATE TABLE `workspaces` (
	`number` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`slug` text NOT NULL,
	`name` text NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`plan` text NOT NULL,
	`shard` integer NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `workspaces_id` ON `workspaces` (`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `workspaces_slug` ON `workspaces` (`slug`);--> statement-breakpoint
CREATE INDEX `workspaces_shard` ON `workspaces` (`shard`);--> statement-breakpoint
CREATE TABLE `workspace_moves` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`workspace_id` text NOT NULL,
	`from_shard` integer NOT NULL,
	`to_shard` integer NOT NULL,
	`phase` text NOT NULL,
	`runs` integer DEFAULT 0 NOT NULL,
	`lease_until` integer DEFAULT 0 NOT NULL,
	`progress` text DEFAULT '' NOT NULL,
	`requested_at` integer NOT NULL,
	`moved_at` integer,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `workspace_moves_unfinished` ON `workspace_moves` (`workspace_id`) WHERE "workspace_moves"."phase" <> 'done';--> statement-breakpoint
CREATE INDEX `workspace_moves_workspace` ON `workspace_moves` (`workspace_id`);--> statement-breakpoint
CREATE TABLE `dead_letters` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`body` text NOT NULL,
	`failed_at` integer NOT NULL,
	`replay_at` integer
);
--> statement-breakpoint
CREATE INDEX `dead_letters_oldest` ON `dead_letters` (`kind`,`failed_at`);--> statement-breakpoint
CREATE INDEX `dead_letters_replayed` ON `dead_letters` (`replay_at`) WHERE replay_at is not null;--> statement-breakpoint
CREATE TABLE `bio_slugs` (
	`slug` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`page_id` text NOT NULL,
	`unsettled_at` integer,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `bio_slugs_workspace` ON `bio_slugs` (`workspace_id`);--> statement-breakpoint
CREATE INDEX `bio_slugs_unsettled` ON `bio_slugs` (`unsettled_at`) WHERE "bio_slugs"."unsettled_at" is not null;--> statement-breakpoint
CREATE TABLE `api_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`prefix` text NOT NULL,
	`workspace_id` text NOT NULL,
	`name` text NOT NULL,
	`secret_hash` text NOT NULL,
	`scopes` text NOT NULL,
	`expires_at` integer,
	`revoked_at` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_prefix` ON `api_keys` (`prefix`);--> statement-breakpoint
CREATE INDEX `api_keys_workspace` ON `api_keys` (`workspace_id`);--> statement-breakpoint
-- By hand: drizzle-kit knows no triggers. A workspace that moves is not deleted, since two shards have rows of it.
CREATE TRIGGER `workspaces_moving` BEFORE UPDATE OF `slug` ON `workspaces`
WHEN NEW.`slug` >= 'deleted:' AND NEW.`slug` < 'deleted;'
 AND EXISTS (SELECT 1 FROM `workspace_moves` WHERE `workspace_id` = OLD.`id` AND `phase` <> 'done')
BEGIN SELECT RAISE(ABORT, 'workspace_moving'); END;--> statement-breakpoint
CREATE TABLE `host_changes` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`hostname` text NOT NULL,
	`changed_at` integer NOT NULL
);
--> statement-breakpoint
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

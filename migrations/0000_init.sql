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
CREATE TABLE `counted_windows` (
	`id` text PRIMARY KEY NOT NULL,
	`counted_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `counted_windows_counted` ON `counted_windows` (`counted_at`);--> statement-breakpoint
CREATE TABLE `idempotency_keys` (
	`workspace_id` text NOT NULL,
	`route` text NOT NULL,
	`key` text NOT NULL,
	`request_hash` text NOT NULL,
	`request_id` text NOT NULL,
	`status` integer,
	`body` text,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`workspace_id`, `route`, `key`)
);
--> statement-breakpoint
CREATE INDEX `idempotency_keys_created` ON `idempotency_keys` (`created_at`);--> statement-breakpoint
CREATE TABLE `links` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`short_code` text NOT NULL,
	`code_key` text NOT NULL,
	`is_custom` integer NOT NULL,
	`destination` text NOT NULL,
	`destination_host` text NOT NULL,
	`rule_hosts` text NOT NULL,
	`enabled` integer DEFAULT true NOT NULL,
	`labels` text NOT NULL,
	`routing_rules` text NOT NULL,
	`expires_at` integer,
	`scan_count` integer DEFAULT 0 NOT NULL,
	`last_scan_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `links_code` ON `links` (`workspace_id`,`code_key`);--> statement-breakpoint
CREATE INDEX `links_newest` ON `links` (`workspace_id`,`id`);--> statement-breakpoint
CREATE TABLE `domains` (
	`hostname` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `domains_workspace` ON `domains` (`workspace_id`,`created_at`);--> statement-breakpoint
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
CREATE TABLE `usage_counters` (
	`workspace_id` text NOT NULL,
	`resource` text NOT NULL,
	`cycle` text NOT NULL,
	`used` integer NOT NULL,
	`cap` integer NOT NULL,
	PRIMARY KEY(`workspace_id`, `resource`, `cycle`),
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "plan_cap" CHECK("usage_counters"."used" <= "usage_counters"."cap")
);
--> statement-breakpoint
CREATE TABLE `workspaces` (
	`id` text PRIMARY KEY NOT NULL,
	`slug` text NOT NULL,
	`name` text NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`plan` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `workspaces_slug` ON `workspaces` (`slug`);--> statement-breakpoint
-- By hand from here: drizzle-kit knows no triggers. A link must not lead to a host that a workspace has here.
CREATE TRIGGER `links_own_host_insert` BEFORE INSERT ON `links`
WHEN EXISTS (SELECT 1 FROM `domains` WHERE `hostname` = NEW.`destination_host` OR `hostname` IN (SELECT value FROM json_each(NEW.`rule_hosts`)))
BEGIN SELECT RAISE(ABORT, 'links_own_host'); END;--> statement-breakpoint
-- One for each column: a host that became ours later must not stop a change of the others.
CREATE TRIGGER `links_own_host_destination` BEFORE UPDATE OF `destination_host` ON `links`
WHEN EXISTS (SELECT 1 FROM `domains` WHERE `hostname` = NEW.`destination_host`)
BEGIN SELECT RAISE(ABORT, 'links_own_host'); END;--> statement-breakpoint
CREATE TRIGGER `links_own_host_rules` BEFORE UPDATE OF `rule_hosts` ON `links`
WHEN EXISTS (SELECT 1 FROM `domains` WHERE `hostname` IN (SELECT value FROM json_each(NEW.`rule_hosts`)))
BEGIN SELECT RAISE(ABORT, 'links_own_host'); END;

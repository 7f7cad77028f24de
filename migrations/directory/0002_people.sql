CREATE TABLE `scim_group_members` (
	`workspace_id` text NOT NULL,
	`group_id` text NOT NULL,
	`member_id` text NOT NULL,
	PRIMARY KEY(`workspace_id`, `group_id`, `member_id`),
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `scim_group_members_group` ON `scim_group_members` (`group_id`);--> statement-breakpoint
CREATE INDEX `scim_group_members_member` ON `scim_group_members` (`member_id`);--> statement-breakpoint
CREATE TABLE `scim_groups` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`display_name` text NOT NULL,
	`external_id` text,
	`role` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `scim_groups_workspace` ON `scim_groups` (`workspace_id`,`id`);--> statement-breakpoint
CREATE INDEX `scim_groups_name` ON `scim_groups` (`workspace_id`,`display_name`);--> statement-breakpoint
CREATE TABLE `scim_tokens` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `scim_tokens_workspace` ON `scim_tokens` (`workspace_id`);--> statement-breakpoint
CREATE TABLE `sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`token_hash` text NOT NULL,
	`email` text NOT NULL,
	`name` text NOT NULL,
	`issuer` text,
	`subject` text,
	`user_agent` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_seen_at` integer NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `sessions_token` ON `sessions` (`token_hash`);--> statement-breakpoint
CREATE INDEX `sessions_person` ON `sessions` (`email`,`id`);--> statement-breakpoint
CREATE INDEX `sessions_expired` ON `sessions` (`expires_at`);--> statement-breakpoint
CREATE TABLE `sign_in_links` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`email` text NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `sign_in_links_expired` ON `sign_in_links` (`expires_at`);--> statement-breakpoint
CREATE INDEX `sign_in_links_workspace` ON `sign_in_links` (`workspace_id`);--> statement-breakpoint
DROP INDEX `api_keys_workspace`;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `last_used_day` integer;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `replaced_by` text;--> statement-breakpoint
CREATE INDEX `api_keys_newest` ON `api_keys` (`workspace_id`,`id`);--> statement-breakpoint
ALTER TABLE `members` ADD `role` text DEFAULT 'viewer' NOT NULL;--> statement-breakpoint
ALTER TABLE `members` ADD `is_active` integer DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE `members` ADD `external_id` text;--> statement-breakpoint
ALTER TABLE `members` ADD `user_name` text;--> statement-breakpoint
ALTER TABLE `members` ADD `given_name` text;--> statement-breakpoint
ALTER TABLE `members` ADD `family_name` text;--> statement-breakpoint
ALTER TABLE `members` ADD `updated_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `members_user_name` ON `members` (`workspace_id`,lower("user_name"));--> statement-breakpoint
CREATE INDEX `members_person` ON `members` (`email`,`id`);--> statement-breakpoint
CREATE INDEX `members_external_id` ON `members` (`workspace_id`,`external_id`);--> statement-breakpoint
-- By hand, as drizzle-kit knows no triggers. Somebody must be able to manage each workspace: the member who joined first.
-- The others can only read until somebody gives them more.
UPDATE `members` SET `updated_at` = `created_at`;--> statement-breakpoint
UPDATE `members` SET `role` = 'owner' WHERE `id` IN (SELECT min(`id`) FROM `members` GROUP BY `workspace_id`);--> statement-breakpoint
CREATE TRIGGER `members_email_insert` BEFORE INSERT ON `members` WHEN NEW.`email` <> lower(NEW.`email`)
BEGIN SELECT RAISE(ABORT, 'members_email_case'); END;--> statement-breakpoint
CREATE TRIGGER `members_email_update` BEFORE UPDATE OF `email` ON `members` WHEN NEW.`email` <> lower(NEW.`email`)
BEGIN SELECT RAISE(ABORT, 'members_email_case'); END;--> statement-breakpoint
CREATE TRIGGER `members_role_insert` BEFORE INSERT ON `members` WHEN NEW.`role` NOT IN ('owner', 'editor', 'viewer')
BEGIN SELECT RAISE(ABORT, 'members_role'); END;--> statement-breakpoint
CREATE TRIGGER `members_role_update` BEFORE UPDATE OF `role` ON `members` WHEN NEW.`role` NOT IN ('owner', 'editor', 'viewer')
BEGIN SELECT RAISE(ABORT, 'members_role'); END;--> statement-breakpoint
-- Whoever deletes a member, also the admin command, takes them out of their groups.
CREATE TRIGGER `members_groups_delete` AFTER DELETE ON `members`
BEGIN DELETE FROM `scim_group_members` WHERE `member_id` = OLD.`id`; END;--> statement-breakpoint
CREATE TRIGGER `scim_groups_delete` AFTER DELETE ON `scim_groups`
BEGIN DELETE FROM `scim_group_members` WHERE `group_id` = OLD.`id`; END;

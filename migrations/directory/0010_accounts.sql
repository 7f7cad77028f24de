CREATE TABLE `invitations` (
	`id` text PRIMARY KEY NOT NULL,
	`token_hash` text NOT NULL,
	`workspace_id` text NOT NULL,
	`member_id` text,
	`email` text NOT NULL,
	`role` text NOT NULL,
	`created_by` text NOT NULL,
	`created_by_name` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `invitations_token` ON `invitations` (`token_hash`);--> statement-breakpoint
CREATE INDEX `invitations_workspace` ON `invitations` (`workspace_id`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `invitations_email` ON `invitations` (`workspace_id`,`email`) WHERE "invitations"."member_id" is null;--> statement-breakpoint
CREATE UNIQUE INDEX `invitations_member` ON `invitations` (`member_id`);--> statement-breakpoint
CREATE INDEX `invitations_expired` ON `invitations` (`expires_at`);--> statement-breakpoint
CREATE TABLE `passkeys` (
	`id` text PRIMARY KEY NOT NULL,
	`person` text NOT NULL,
	`email` text NOT NULL,
	`person_name` text NOT NULL,
	`name` text NOT NULL,
	`credential_id` text NOT NULL,
	`public_key` text NOT NULL,
	`counter` integer NOT NULL,
	`transports` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `passkeys_credential` ON `passkeys` (`credential_id`);--> statement-breakpoint
CREATE INDEX `passkeys_account` ON `passkeys` (`person`,`id`);--> statement-breakpoint
DROP INDEX `members_person`;--> statement-breakpoint
ALTER TABLE `members` ADD `person` text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE INDEX `members_account` ON `members` (`person`,`id`);--> statement-breakpoint
DROP INDEX `sessions_person`;--> statement-breakpoint
ALTER TABLE `sessions` ADD `person` text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE INDEX `sessions_account` ON `sessions` (`person`,`id`);--> statement-breakpoint
-- By hand, because drizzle-kit has no triggers. Existing members and sessions belong to the account of their email address.
UPDATE `members` SET `person` = `email`;--> statement-breakpoint
UPDATE `sessions` SET `person` = `email`;--> statement-breakpoint
CREATE TRIGGER `members_person_insert` AFTER INSERT ON `members` WHEN NEW.`person` = ''
BEGIN UPDATE `members` SET `person` = NEW.`email` WHERE `id` = NEW.`id`; END;--> statement-breakpoint
CREATE TRIGGER `members_person_email` AFTER UPDATE OF `email` ON `members` WHEN NEW.`email` <> OLD.`email`
BEGIN
  DELETE FROM `sign_in_links` WHERE `workspace_id` = OLD.`workspace_id` AND `email` = OLD.`email`;
  UPDATE `members` SET `person` = NEW.`email` WHERE `id` = NEW.`id`;
END;--> statement-breakpoint
CREATE TRIGGER `sessions_person_insert` AFTER INSERT ON `sessions` WHEN NEW.`person` = ''
BEGIN UPDATE `sessions` SET `person` = NEW.`email` WHERE `id` = NEW.`id`; END;--> statement-breakpoint
-- Otherwise, the old links, sessions and passkeys would work again for a later member with the same account.
CREATE TRIGGER `members_access_delete` AFTER DELETE ON `members`
BEGIN
  DELETE FROM `sign_in_links` WHERE `workspace_id` = OLD.`workspace_id` AND `email` = OLD.`email`;
  DELETE FROM `invitations` WHERE `member_id` = OLD.`id`;
  DELETE FROM `sessions` WHERE `person` = OLD.`person` AND NOT EXISTS
    (SELECT 1 FROM `members` m WHERE m.`person` = OLD.`person` AND m.`is_active` = 1 AND m.`is_accepted` = 1);
  DELETE FROM `passkeys` WHERE `person` = OLD.`person` AND NOT EXISTS
    (SELECT 1 FROM `members` m WHERE m.`person` = OLD.`person`);
END;--> statement-breakpoint
CREATE TRIGGER `members_access_update` AFTER UPDATE OF `person`, `is_active` ON `members`
WHEN NEW.`is_active` = 0 OR (NEW.`person` <> OLD.`person` AND OLD.`person` <> '')
BEGIN
  DELETE FROM `sign_in_links` WHERE `workspace_id` = OLD.`workspace_id` AND `email` = OLD.`email`;
  DELETE FROM `invitations` WHERE `member_id` = OLD.`id`;
  DELETE FROM `sessions` WHERE `person` = OLD.`person` AND NOT EXISTS
    (SELECT 1 FROM `members` m WHERE m.`person` = OLD.`person` AND m.`is_active` = 1 AND m.`is_accepted` = 1);
  DELETE FROM `passkeys` WHERE `person` = OLD.`person` AND NOT EXISTS
    (SELECT 1 FROM `members` m WHERE m.`person` = OLD.`person`);
END;--> statement-breakpoint
CREATE TRIGGER `scim_tokens_invitations` AFTER INSERT ON `scim_tokens`
BEGIN DELETE FROM `invitations` WHERE `workspace_id` = NEW.`workspace_id`; END;

-- Tables, indexes and triggers after all migrations. Written by `npm run schema`; nothing reads this file.

-- Database: directory

CREATE TABLE `api_keys` (
  `id` text PRIMARY KEY NOT NULL,
  `prefix` text NOT NULL,
  `workspace_id` text NOT NULL,
  `name` text NOT NULL,
  `secret_hash` text NOT NULL,
  `scopes` text NOT NULL,
  `expires_at` integer,
  `revoked_at` integer,
  `created_at` integer NOT NULL, `last_used_day` integer, `replaced_by` text, `created_by` text, `created_by_name` text,
  FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);

CREATE INDEX `api_keys_newest` ON `api_keys` (`workspace_id`,`id`);

CREATE UNIQUE INDEX `api_keys_prefix` ON `api_keys` (`prefix`);

CREATE TABLE `audit_log` (
  `workspace_id` text NOT NULL,
  `id` text NOT NULL,
  `at` integer NOT NULL,
  `actor_type` text NOT NULL,
  `actor_id` text NOT NULL,
  `actor_name` text NOT NULL,
  `operation` text NOT NULL,
  `resource_type` text NOT NULL,
  `resource_id` text NOT NULL,
  `request_id` text NOT NULL,
  `changes` text NOT NULL, `day_bytes` integer DEFAULT 0 NOT NULL,
  PRIMARY KEY(`workspace_id`, `id`)
) WITHOUT ROWID;

CREATE INDEX `audit_log_resource` ON `audit_log` (`resource_id`,`id`);

CREATE TABLE `bio_slugs` (
  `slug` text PRIMARY KEY NOT NULL,
  `workspace_id` text NOT NULL,
  `page_id` text NOT NULL,
  `unsettled_at` integer,
  FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);

CREATE INDEX `bio_slugs_unsettled` ON `bio_slugs` (`unsettled_at`) WHERE "bio_slugs"."unsettled_at" is not null;

CREATE INDEX `bio_slugs_workspace` ON `bio_slugs` (`workspace_id`);

CREATE TABLE `blocked_hosts` (
  `number` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
  `hostname` text NOT NULL,
  `is_blocked` integer NOT NULL,
  `changed_at` integer NOT NULL
);

CREATE UNIQUE INDEX `blocked_hosts_hostname` ON `blocked_hosts` (`hostname`);

CREATE TRIGGER `blocked_hosts_insert` AFTER INSERT ON `blocked_hosts`
BEGIN
  INSERT INTO `host_changes` (`hostname`, `changed_at`) VALUES ('/' || NEW.`hostname`, CAST(unixepoch('subsec') * 1000 AS INTEGER));
END;

CREATE TABLE `dead_letters` (
  `id` text PRIMARY KEY NOT NULL,
  `kind` text NOT NULL,
  `body` text NOT NULL,
  `failed_at` integer NOT NULL,
  `replay_at` integer
);

CREATE INDEX `dead_letters_oldest` ON `dead_letters` (`kind`,`failed_at`);

CREATE INDEX `dead_letters_replayed` ON `dead_letters` (`replay_at`) WHERE replay_at is not null;

CREATE TABLE `domain_claims` (
  `id` text PRIMARY KEY NOT NULL,
  `workspace_id` text NOT NULL,
  `hostname` text NOT NULL,
  `created_at` integer NOT NULL,
  `is_counted` integer NOT NULL,
  `check_at` integer,
  `checks` integer DEFAULT 0 NOT NULL,
  `root_url` text,
  `root_host` text,
  `not_found_url` text,
  `not_found_host` text,
  `expired_url` text,
  `expired_host` text,
  `document_version` integer DEFAULT 0 NOT NULL,
  `apple_app_site_association` text,
  `assetlinks` text,
  FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);

CREATE INDEX `domain_claims_due` ON `domain_claims` (`check_at`) WHERE "domain_claims"."check_at" is not null;

CREATE UNIQUE INDEX `domain_claims_hostname` ON `domain_claims` (`workspace_id`,`hostname`);

CREATE INDEX `domain_claims_newest` ON `domain_claims` (`workspace_id`,`id`);

CREATE INDEX `domain_claims_oldest` ON `domain_claims` (`created_at`) WHERE "domain_claims"."check_at" is not null;

CREATE TRIGGER `domain_claims_host_update`
AFTER UPDATE OF `root_url`, `not_found_url`, `expired_url`, `document_version` ON `domain_claims`
WHEN (NEW.`root_url` IS NOT OLD.`root_url` OR NEW.`not_found_url` IS NOT OLD.`not_found_url`
   OR NEW.`expired_url` IS NOT OLD.`expired_url` OR NEW.`document_version` IS NOT OLD.`document_version`)
  AND EXISTS (SELECT 1 FROM `domains` WHERE `hostname` = NEW.`hostname` AND `workspace_id` = NEW.`workspace_id`)
BEGIN
  INSERT INTO `host_changes` (`hostname`, `changed_at`)
  VALUES (NEW.`hostname`, CAST(unixepoch('subsec') * 1000 AS INTEGER));
END;

CREATE TABLE `domains` (
  `number` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
  `hostname` text NOT NULL,
  `workspace_id` text NOT NULL,
  `created_at` integer NOT NULL,
  FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);

CREATE UNIQUE INDEX `domains_hostname` ON `domains` (`hostname`);

CREATE INDEX `domains_workspace` ON `domains` (`workspace_id`,`number`);

CREATE TRIGGER `domains_claim` AFTER INSERT ON `domains`
BEGIN
  INSERT INTO `domain_claims` (`id`, `workspace_id`, `hostname`, `created_at`, `is_counted`)
  SELECT substr(printf('%012x', NEW.`created_at`), 1, 8) || '-' || substr(printf('%012x', NEW.`created_at`), 9) || '-7' ||
         substr(lower(hex(randomblob(2))), 2) || '-' || substr('89ab', 1 + (random() & 3), 1) ||
         substr(lower(hex(randomblob(2))), 2) || '-' || lower(hex(randomblob(6))),
         NEW.`workspace_id`, NEW.`hostname`, NEW.`created_at`, 0
   WHERE true
      ON CONFLICT (`workspace_id`, `hostname`) DO UPDATE SET `check_at` = NULL;
END;

CREATE TRIGGER `domains_hold` AFTER DELETE ON `domains`
BEGIN
  INSERT INTO `held_names` (`name`, `rule`, `workspace_id`, `held_until`)
  VALUES (OLD.`hostname`, 'used', OLD.`workspace_id`, unixepoch() * 1000 + 31536000000)
  ON CONFLICT (`name`) DO UPDATE SET `rule` = 'used', `workspace_id` = excluded.`workspace_id`, `held_until` = excluded.`held_until`
  WHERE `rule` <> 'reserved';
END;

CREATE TRIGGER `domains_host_delete` AFTER DELETE ON `domains`
BEGIN
  INSERT INTO `host_changes` (`hostname`, `changed_at`)
  VALUES (OLD.`hostname`, CAST(unixepoch('subsec') * 1000 AS INTEGER));
END;

CREATE TRIGGER `domains_host_insert` AFTER INSERT ON `domains`
BEGIN
  INSERT INTO `host_changes` (`hostname`, `changed_at`)
  VALUES (NEW.`hostname`, CAST(unixepoch('subsec') * 1000 AS INTEGER));
END;

CREATE TRIGGER `domains_host_update` AFTER UPDATE OF `hostname`, `workspace_id` ON `domains`
WHEN NEW.`hostname` <> OLD.`hostname` OR NEW.`workspace_id` <> OLD.`workspace_id`
BEGIN
  INSERT INTO `host_changes` (`hostname`, `changed_at`)
  VALUES (OLD.`hostname`, CAST(unixepoch('subsec') * 1000 AS INTEGER)),
         (NEW.`hostname`, CAST(unixepoch('subsec') * 1000 AS INTEGER));
END;

CREATE TABLE `held_names` (
  `name` text PRIMARY KEY NOT NULL,
  `rule` text NOT NULL,
  `workspace_id` text,
  `held_until` integer
);

CREATE INDEX `held_names_until` ON `held_names` (`held_until`);

CREATE INDEX `held_names_workspace` ON `held_names` (`workspace_id`,`held_until`);

CREATE TABLE `host_changes` (
  `seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
  `hostname` text NOT NULL,
  `changed_at` integer NOT NULL
);

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

CREATE UNIQUE INDEX `invitations_email` ON `invitations` (`workspace_id`,`email`) WHERE "invitations"."member_id" is null;

CREATE INDEX `invitations_expired` ON `invitations` (`expires_at`);

CREATE UNIQUE INDEX `invitations_member` ON `invitations` (`member_id`);

CREATE UNIQUE INDEX `invitations_token` ON `invitations` (`token_hash`);

CREATE INDEX `invitations_workspace` ON `invitations` (`workspace_id`,`id`);

CREATE TABLE `members` (
  `id` text PRIMARY KEY NOT NULL,
  `workspace_id` text NOT NULL,
  `email` text NOT NULL,
  `name` text NOT NULL,
  `created_at` integer NOT NULL, `role` text DEFAULT 'viewer' NOT NULL, `is_active` integer DEFAULT true NOT NULL, `external_id` text, `user_name` text, `given_name` text, `family_name` text, `updated_at` integer DEFAULT 0 NOT NULL, `own_role` text, `user_name_key` text, `formatted_name` text, `emails` text, `is_accepted` integer DEFAULT true NOT NULL, `person` text DEFAULT '' NOT NULL,
  FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);

CREATE INDEX `members_account` ON `members` (`person`,`id`);

CREATE UNIQUE INDEX `members_email` ON `members` (`workspace_id`,`email`);

CREATE INDEX `members_external_id` ON `members` (`workspace_id`,`external_id`);

CREATE INDEX `members_joined` ON `members` (`workspace_id`,`id`);

CREATE UNIQUE INDEX `members_user_name_key` ON `members` (`workspace_id`,coalesce("user_name_key", "email"));

CREATE TRIGGER `members_access_delete` AFTER DELETE ON `members`
BEGIN
  DELETE FROM `sign_in_links` WHERE `workspace_id` = OLD.`workspace_id` AND `email` = OLD.`email`;
  DELETE FROM `invitations` WHERE `member_id` = OLD.`id`;
  DELETE FROM `sessions` WHERE `person` = OLD.`person` AND NOT EXISTS
    (SELECT 1 FROM `members` m WHERE m.`person` = OLD.`person` AND m.`is_active` = 1 AND m.`is_accepted` = 1);
  DELETE FROM `passkeys` WHERE `person` = OLD.`person` AND NOT EXISTS
    (SELECT 1 FROM `members` m WHERE m.`person` = OLD.`person`);
END;

CREATE TRIGGER `members_access_update` AFTER UPDATE OF `person`, `is_active` ON `members`
WHEN NEW.`is_active` = 0 OR (NEW.`person` <> OLD.`person` AND OLD.`person` <> '')
BEGIN
  DELETE FROM `sign_in_links` WHERE `workspace_id` = OLD.`workspace_id` AND `email` = OLD.`email`;
  DELETE FROM `invitations` WHERE `member_id` = OLD.`id`;
  DELETE FROM `sessions` WHERE `person` = OLD.`person` AND NOT EXISTS
    (SELECT 1 FROM `members` m WHERE m.`person` = OLD.`person` AND m.`is_active` = 1 AND m.`is_accepted` = 1);
  DELETE FROM `passkeys` WHERE `person` = OLD.`person` AND NOT EXISTS
    (SELECT 1 FROM `members` m WHERE m.`person` = OLD.`person`);
END;

CREATE TRIGGER `members_email_insert` BEFORE INSERT ON `members` WHEN NEW.`email` <> lower(NEW.`email`)
BEGIN SELECT RAISE(ABORT, 'members_email_case'); END;

CREATE TRIGGER `members_email_update` BEFORE UPDATE OF `email` ON `members` WHEN NEW.`email` <> lower(NEW.`email`)
BEGIN SELECT RAISE(ABORT, 'members_email_case'); END;

CREATE TRIGGER `members_groups_delete` AFTER DELETE ON `members`
BEGIN DELETE FROM `scim_group_members` WHERE `member_id` = OLD.`id`; END;

CREATE TRIGGER `members_own_role_insert` AFTER INSERT ON `members` WHEN NEW.`own_role` IS NULL
BEGIN UPDATE `members` SET `own_role` = NEW.`role` WHERE `id` = NEW.`id`; END;

CREATE TRIGGER `members_own_role_update` AFTER UPDATE OF `own_role` ON `members`
BEGIN UPDATE `members` SET `role` = coalesce(
    (SELECT g.`role` FROM `scim_group_members` m JOIN `scim_groups` g ON g.`id` = m.`group_id`
      WHERE m.`member_id` = NEW.`id` AND g.`role` IS NOT NULL
      ORDER BY CASE g.`role` WHEN 'owner' THEN 0 WHEN 'editor' THEN 1 ELSE 2 END LIMIT 1), `own_role`) WHERE `id` = NEW.`id`; END;

CREATE TRIGGER `members_person_email` AFTER UPDATE OF `email` ON `members` WHEN NEW.`email` <> OLD.`email`
BEGIN
  DELETE FROM `sign_in_links` WHERE `workspace_id` = OLD.`workspace_id` AND `email` = OLD.`email`;
  UPDATE `members` SET `person` = NEW.`email` WHERE `id` = NEW.`id`;
END;

CREATE TRIGGER `members_person_insert` AFTER INSERT ON `members` WHEN NEW.`person` = ''
BEGIN UPDATE `members` SET `person` = NEW.`email` WHERE `id` = NEW.`id`; END;

CREATE TRIGGER `members_role_given` AFTER UPDATE OF `role` ON `members`
WHEN NEW.`updated_at` <> OLD.`updated_at` AND NEW.`own_role` IS OLD.`own_role`
BEGIN UPDATE `members` SET `own_role` = NEW.`role` WHERE `id` = NEW.`id`; END;

CREATE TRIGGER `members_role_insert` BEFORE INSERT ON `members` WHEN NEW.`role` NOT IN ('owner', 'editor', 'viewer')
BEGIN SELECT RAISE(ABORT, 'members_role'); END;

CREATE TRIGGER `members_role_update` BEFORE UPDATE OF `role` ON `members` WHEN NEW.`role` NOT IN ('owner', 'editor', 'viewer')
BEGIN SELECT RAISE(ABORT, 'members_role'); END;

CREATE TRIGGER `members_total_delete` AFTER DELETE ON `members`
BEGIN UPDATE `people_totals` SET `members` = `members` - 1 WHERE `workspace_id` = OLD.`workspace_id`; END;

CREATE TRIGGER `members_total_insert` AFTER INSERT ON `members`
BEGIN
  INSERT INTO `people_totals` (`workspace_id`) SELECT NEW.`workspace_id`
    WHERE NOT EXISTS (SELECT 1 FROM `people_totals` WHERE `workspace_id` = NEW.`workspace_id`);
  UPDATE `people_totals` SET `members` = `members` + 1 WHERE `workspace_id` = NEW.`workspace_id`;
END;

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

CREATE INDEX `passkeys_account` ON `passkeys` (`person`,`id`);

CREATE UNIQUE INDEX `passkeys_credential` ON `passkeys` (`credential_id`);

CREATE TABLE `people_totals` (
  `workspace_id` text PRIMARY KEY NOT NULL,
  `members` integer DEFAULT 0 NOT NULL,
  `groups` integer DEFAULT 0 NOT NULL,
  `group_members` integer DEFAULT 0 NOT NULL,
  FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action,
  CONSTRAINT "members_max" CHECK("people_totals"."members" <= 10000),
  CONSTRAINT "groups_max" CHECK("people_totals"."groups" <= 500),
  CONSTRAINT "group_members_max" CHECK("people_totals"."group_members" <= 100000)
);

CREATE TABLE `reports` (
  `id` text PRIMARY KEY NOT NULL,
  `token_hash` text NOT NULL,
  `workspace_id` text NOT NULL,
  `title` text NOT NULL,
  `link_ids` text,
  `label` text,
  `days` integer,
  `from_date` text,
  `to_date` text,
  `expires_at` integer,
  `password_hash` text,
  `created_at` integer NOT NULL,
  FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);

CREATE INDEX `reports_newest` ON `reports` (`workspace_id`,`id`);

CREATE UNIQUE INDEX `reports_token` ON `reports` (`token_hash`);

CREATE TABLE `request_counts` (
  `starts_at` integer NOT NULL,
  `surface` text NOT NULL,
  `requests` integer NOT NULL,
  `failures` integer NOT NULL,
  PRIMARY KEY(`starts_at`, `surface`)
);

CREATE TABLE `scim_group_members` (
  `workspace_id` text NOT NULL,
  `group_id` text NOT NULL,
  `member_id` text NOT NULL,
  PRIMARY KEY(`workspace_id`, `group_id`, `member_id`),
  FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);

CREATE INDEX `scim_group_members_group` ON `scim_group_members` (`group_id`);

CREATE INDEX `scim_group_members_member` ON `scim_group_members` (`member_id`);

CREATE TRIGGER `scim_group_members_check` BEFORE INSERT ON `scim_group_members`
BEGIN
  SELECT RAISE(ABORT, 'scim_group_unknown') WHERE NOT EXISTS
    (SELECT 1 FROM `scim_groups` WHERE `id` = NEW.`group_id` AND `workspace_id` = NEW.`workspace_id`);
  SELECT RAISE(ABORT, 'scim_member_unknown') WHERE NOT EXISTS
    (SELECT 1 FROM `members` WHERE `id` = NEW.`member_id` AND `workspace_id` = NEW.`workspace_id`);
END;

CREATE TRIGGER `scim_group_members_delete` AFTER DELETE ON `scim_group_members`
BEGIN
  UPDATE `people_totals` SET `group_members` = `group_members` - 1 WHERE `workspace_id` = OLD.`workspace_id`;
  UPDATE `scim_groups` SET `member_count` = `member_count` - 1 WHERE `id` = OLD.`group_id`;
  UPDATE `members` SET `role` = coalesce(
    (SELECT g.`role` FROM `scim_group_members` m JOIN `scim_groups` g ON g.`id` = m.`group_id`
      WHERE m.`member_id` = OLD.`member_id` AND g.`role` IS NOT NULL
      ORDER BY CASE g.`role` WHEN 'owner' THEN 0 WHEN 'editor' THEN 1 ELSE 2 END LIMIT 1), `own_role`) WHERE `id` = OLD.`member_id`;
END;

CREATE TRIGGER `scim_group_members_insert` AFTER INSERT ON `scim_group_members`
BEGIN
  UPDATE `people_totals` SET `group_members` = `group_members` + 1 WHERE `workspace_id` = NEW.`workspace_id`;
  UPDATE `scim_groups` SET `member_count` = `member_count` + 1 WHERE `id` = NEW.`group_id`;
  UPDATE `members` SET `role` = coalesce(
    (SELECT g.`role` FROM `scim_group_members` m JOIN `scim_groups` g ON g.`id` = m.`group_id`
      WHERE m.`member_id` = NEW.`member_id` AND g.`role` IS NOT NULL
      ORDER BY CASE g.`role` WHEN 'owner' THEN 0 WHEN 'editor' THEN 1 ELSE 2 END LIMIT 1), `own_role`) WHERE `id` = NEW.`member_id`;
END;

CREATE TABLE `scim_groups` (
  `id` text PRIMARY KEY NOT NULL,
  `workspace_id` text NOT NULL,
  `display_name` text NOT NULL,
  `external_id` text,
  `role` text,
  `created_at` integer NOT NULL,
  `updated_at` integer NOT NULL, `name_key` text DEFAULT '' NOT NULL, `member_count` integer DEFAULT 0 NOT NULL,
  FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);

CREATE UNIQUE INDEX `scim_groups_name_key` ON `scim_groups` (`workspace_id`,`name_key`);

CREATE INDEX `scim_groups_workspace` ON `scim_groups` (`workspace_id`,`id`);

CREATE TRIGGER `scim_groups_delete` AFTER DELETE ON `scim_groups`
BEGIN DELETE FROM `scim_group_members` WHERE `group_id` = OLD.`id`; END;

CREATE TRIGGER `scim_groups_role_update` AFTER UPDATE OF `role` ON `scim_groups` WHEN NEW.`role` IS NOT OLD.`role`
BEGIN
  UPDATE `members` SET `role` = coalesce(
    (SELECT g.`role` FROM `scim_group_members` m JOIN `scim_groups` g ON g.`id` = m.`group_id`
      WHERE m.`member_id` = `members`.`id` AND g.`role` IS NOT NULL
      ORDER BY CASE g.`role` WHEN 'owner' THEN 0 WHEN 'editor' THEN 1 ELSE 2 END LIMIT 1), `own_role`)
   WHERE `id` IN (SELECT `member_id` FROM `scim_group_members` WHERE `group_id` = NEW.`id`);
END;

CREATE TRIGGER `scim_groups_total_delete` AFTER DELETE ON `scim_groups`
BEGIN UPDATE `people_totals` SET `groups` = `groups` - 1 WHERE `workspace_id` = OLD.`workspace_id`; END;

CREATE TRIGGER `scim_groups_total_insert` AFTER INSERT ON `scim_groups`
BEGIN
  INSERT INTO `people_totals` (`workspace_id`) SELECT NEW.`workspace_id`
    WHERE NOT EXISTS (SELECT 1 FROM `people_totals` WHERE `workspace_id` = NEW.`workspace_id`);
  UPDATE `people_totals` SET `groups` = `groups` + 1 WHERE `workspace_id` = NEW.`workspace_id`;
END;

CREATE TABLE `scim_tokens` (
  `token_hash` text PRIMARY KEY NOT NULL,
  `workspace_id` text NOT NULL,
  `created_at` integer NOT NULL, `id` text DEFAULT '' NOT NULL, `prefix` text DEFAULT '' NOT NULL, `email_domains` text DEFAULT '[]' NOT NULL,
  FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);

CREATE UNIQUE INDEX `scim_tokens_prefix` ON `scim_tokens` (`prefix`);

CREATE INDEX `scim_tokens_workspace` ON `scim_tokens` (`workspace_id`);

CREATE TRIGGER `scim_tokens_invitations` AFTER INSERT ON `scim_tokens`
BEGIN DELETE FROM `invitations` WHERE `workspace_id` = NEW.`workspace_id`; END;

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
, `person` text DEFAULT '' NOT NULL);

CREATE INDEX `sessions_account` ON `sessions` (`person`,`id`);

CREATE INDEX `sessions_expired` ON `sessions` (`expires_at`);

CREATE UNIQUE INDEX `sessions_token` ON `sessions` (`token_hash`);

CREATE TRIGGER `sessions_person_insert` AFTER INSERT ON `sessions` WHEN NEW.`person` = ''
BEGIN UPDATE `sessions` SET `person` = NEW.`email` WHERE `id` = NEW.`id`; END;

CREATE TABLE `sign_in_links` (
  `token_hash` text PRIMARY KEY NOT NULL,
  `workspace_id` text NOT NULL,
  `email` text NOT NULL,
  `expires_at` integer NOT NULL,
  FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);

CREATE INDEX `sign_in_links_expired` ON `sign_in_links` (`expires_at`);

CREATE INDEX `sign_in_links_workspace` ON `sign_in_links` (`workspace_id`);

CREATE TABLE sqlite_sequence(name,seq);

CREATE TABLE `sweep_runs` (
  `scope` text PRIMARY KEY NOT NULL,
  `ran_at` integer NOT NULL,
  `succeeded` text NOT NULL
);

CREATE TABLE `unsettled_hosts` (
  `hostname` text PRIMARY KEY NOT NULL,
  `number` integer,
  `unsettled_at` integer NOT NULL
);

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

CREATE UNIQUE INDEX `workspace_moves_unfinished` ON `workspace_moves` (`workspace_id`) WHERE "workspace_moves"."phase" <> 'done';

CREATE INDEX `workspace_moves_workspace` ON `workspace_moves` (`workspace_id`);

CREATE TABLE `workspaces` (
  `number` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
  `id` text NOT NULL,
  `slug` text NOT NULL,
  `name` text NOT NULL,
  `description` text DEFAULT '' NOT NULL,
  `plan` text NOT NULL,
  `shard` integer NOT NULL,
  `created_at` integer NOT NULL
, `primary_domain` integer, `suspended_at` integer);

CREATE UNIQUE INDEX `workspaces_id` ON `workspaces` (`id`);

CREATE INDEX `workspaces_shard` ON `workspaces` (`shard`);

CREATE UNIQUE INDEX `workspaces_slug` ON `workspaces` (`slug`);

CREATE INDEX `workspaces_suspended` ON `workspaces` (`id`) WHERE "workspaces"."suspended_at" is not null;

CREATE TRIGGER `workspaces_host_suspend` AFTER UPDATE OF `suspended_at` ON `workspaces`
WHEN NEW.`suspended_at` IS NOT OLD.`suspended_at`
BEGIN
  INSERT INTO `host_changes` (`hostname`, `changed_at`)
  SELECT `hostname`, CAST(unixepoch('subsec') * 1000 AS INTEGER) FROM `domains` WHERE `workspace_id` = NEW.`id`;
END;

CREATE TRIGGER `workspaces_host_update` AFTER UPDATE OF `shard` ON `workspaces` WHEN NEW.`shard` <> OLD.`shard`
BEGIN
  INSERT INTO `host_changes` (`hostname`, `changed_at`)
  SELECT `hostname`, CAST(unixepoch('subsec') * 1000 AS INTEGER) FROM `domains` WHERE `workspace_id` = NEW.`id`;
END;

CREATE TRIGGER `workspaces_moving` BEFORE UPDATE OF `slug` ON `workspaces`
WHEN NEW.`slug` >= 'deleted:' AND NEW.`slug` < 'deleted;'
 AND EXISTS (SELECT 1 FROM `workspace_moves` WHERE `workspace_id` = OLD.`id` AND `phase` <> 'done')
BEGIN SELECT RAISE(ABORT, 'workspace_moving'); END;

-- Database: shard

CREATE TABLE `assets` (
  `id` text PRIMARY KEY NOT NULL,
  `workspace_id` text NOT NULL,
  `filename` text NOT NULL,
  `mime_type` text NOT NULL,
  `file_size` integer NOT NULL,
  `status` text NOT NULL,
  `is_public` integer NOT NULL,
  `tags` text NOT NULL,
  `confirmed_etag` text,
  `created_at` integer NOT NULL,
  `updated_at` integer NOT NULL,
  FOREIGN KEY (`workspace_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action
);

CREATE INDEX `assets_newest` ON `assets` (`workspace_id`,`id`);

CREATE INDEX `assets_pending` ON `assets` (`created_at`) WHERE "assets"."status" = 'pending';

CREATE TABLE `audit_log` (
  `workspace_id` text NOT NULL,
  `id` text NOT NULL,
  `at` integer NOT NULL,
  `actor_type` text NOT NULL,
  `actor_id` text NOT NULL,
  `actor_name` text NOT NULL,
  `operation` text NOT NULL,
  `resource_type` text NOT NULL,
  `resource_id` text NOT NULL,
  `request_id` text NOT NULL,
  `changes` text NOT NULL, `day_bytes` integer DEFAULT 0 NOT NULL,
  PRIMARY KEY(`workspace_id`, `id`)
) WITHOUT ROWID;

CREATE INDEX `audit_log_resource` ON `audit_log` (`resource_id`,`id`);

CREATE TABLE `bio_pages` (
  `id` text PRIMARY KEY NOT NULL,
  `workspace_id` text NOT NULL,
  `slug` text NOT NULL,
  `title` text NOT NULL,
  `description` text NOT NULL,
  `page_data` text NOT NULL,
  `is_published` integer DEFAULT false NOT NULL,
  `published_at` integer,
  `view_count` integer DEFAULT 0 NOT NULL,
  `click_count` integer DEFAULT 0 NOT NULL,
  `created_at` integer NOT NULL,
  `updated_at` integer NOT NULL, `link_hosts` text,
  FOREIGN KEY (`workspace_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action
);

CREATE INDEX `bio_pages_newest` ON `bio_pages` (`workspace_id`,`id`);

CREATE TRIGGER `bio_pages_blocked_insert` BEFORE INSERT ON `bio_pages`
WHEN EXISTS (SELECT 1 FROM `blocked_hosts`) AND EXISTS (
    WITH RECURSIVE `names`(`name`) AS (
      SELECT value FROM json_each(NEW.`link_hosts`)
       UNION SELECT substr(`name`, instr(`name`, '.') + 1) FROM `names` WHERE `name` LIKE '%.%.%')
    SELECT 1 FROM `names` CROSS JOIN `blocked_hosts` ON `hostname` = `name` WHERE `is_blocked`)
  AND NOT EXISTS (SELECT 1 FROM `transits` WHERE `workspace_id` = NEW.`workspace_id` AND `state` = 'arriving')
BEGIN SELECT RAISE(ABORT, 'bio_pages_blocked_host'); END;

CREATE TRIGGER `bio_pages_blocked_update` BEFORE UPDATE OF `link_hosts` ON `bio_pages`
WHEN EXISTS (SELECT 1 FROM `blocked_hosts`) AND EXISTS (
    WITH RECURSIVE `names`(`name`) AS (
      SELECT value FROM json_each(NEW.`link_hosts`)
       UNION SELECT substr(`name`, instr(`name`, '.') + 1) FROM `names` WHERE `name` LIKE '%.%.%')
    SELECT 1 FROM `names` CROSS JOIN `blocked_hosts` ON `hostname` = `name` WHERE `is_blocked`)
  AND NOT EXISTS (SELECT 1 FROM `transits` WHERE `workspace_id` = NEW.`workspace_id` AND `state` = 'arriving')
BEGIN SELECT RAISE(ABORT, 'bio_pages_blocked_host'); END;

CREATE TABLE `blocked_hosts` (
  `hostname` text PRIMARY KEY NOT NULL,
  `number` integer,
  `is_blocked` integer NOT NULL
) WITHOUT ROWID;

CREATE UNIQUE INDEX `blocked_hosts_number` ON `blocked_hosts` (`number`);

CREATE TRIGGER `blocked_hosts_target_insert` AFTER INSERT ON `blocked_hosts`
BEGIN
  INSERT INTO `target_changes` (`workspace_id`, `code_key`, `changed_at`) VALUES ('', NEW.`hostname`, CAST(unixepoch('subsec') * 1000 AS INTEGER));
END;

CREATE TRIGGER `blocked_hosts_target_update` AFTER UPDATE ON `blocked_hosts` WHEN NEW.`is_blocked` <> OLD.`is_blocked`
BEGIN
  INSERT INTO `target_changes` (`workspace_id`, `code_key`, `changed_at`) VALUES ('', NEW.`hostname`, CAST(unixepoch('subsec') * 1000 AS INTEGER));
END;

CREATE TABLE `counted_buckets` (
  `bucket` text PRIMARY KEY NOT NULL,
  `ids` text NOT NULL
) WITHOUT ROWID;

CREATE TABLE `deleted_assets` (
  `asset_id` text PRIMARY KEY NOT NULL,
  `workspace_id` text NOT NULL,
  `filename` text NOT NULL,
  `deleted_at` integer NOT NULL,
  `due_at` integer NOT NULL
);

CREATE INDEX `deleted_assets_due` ON `deleted_assets` (`due_at`);

CREATE TABLE `deleted_series` (
  `workspace_id` text NOT NULL,
  `owner` blob NOT NULL,
  PRIMARY KEY(`workspace_id`, `owner`),
  FOREIGN KEY (`workspace_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;

CREATE TABLE `delivery_attempts` (
  `delivery_id` text NOT NULL,
  `number` integer NOT NULL,
  `attempted_at` integer NOT NULL,
  `latency_ms` integer NOT NULL,
  `response_status` integer,
  `error` text,
  `response_body` text,
  PRIMARY KEY(`delivery_id`, `number`)
) WITHOUT ROWID;

CREATE TABLE `delivery_backlogs` (
  `workspace_id` text PRIMARY KEY NOT NULL,
  `waiting` integer NOT NULL,
  `cap` integer NOT NULL,
  `turns` text NOT NULL, `logged_on` integer DEFAULT 0 NOT NULL, `logged_bytes` integer DEFAULT 0 NOT NULL,
  CONSTRAINT "delivery_backlog" CHECK("delivery_backlogs"."waiting" <= "delivery_backlogs"."cap")
) WITHOUT ROWID;

CREATE TABLE `event_deliveries` (
  `lane` integer NOT NULL,
  `id` text NOT NULL,
  `event_type` text NOT NULL,
  `status` text NOT NULL,
  `attempts` integer NOT NULL,
  `attempts_before` integer NOT NULL,
  `response_status` integer,
  `created_at` integer NOT NULL,
  `delivered_at` integer,
  `failed_at` integer,
  `epoch` integer NOT NULL,
  `next_attempt_at` integer,
  PRIMARY KEY(`lane`, `id`)
) WITHOUT ROWID;

CREATE INDEX `event_deliveries_waiting` ON `event_deliveries` (`lane`,`epoch`,`next_attempt_at`) WHERE "event_deliveries"."next_attempt_at" is not null;

CREATE TABLE `idempotency_keys` (
  `workspace_id` text NOT NULL,
  `route` text NOT NULL,
  `key` text NOT NULL,
  `request_hash` text NOT NULL,
  `request_id` text NOT NULL,
  `first_request_id` text DEFAULT '' NOT NULL,
  `held_until` integer DEFAULT 0 NOT NULL,
  `status` integer,
  `body` text,
  `created_at` integer NOT NULL,
  PRIMARY KEY(`workspace_id`, `route`, `key`)
);

CREATE INDEX `idempotency_keys_created` ON `idempotency_keys` (`created_at`);

CREATE VIEW `link_addresses` AS
SELECT `workspace_id`, `code_key`, `short_code` AS `path`, 1 AS `any_case`, `id` AS `link_id` FROM `links`
UNION ALL
SELECT `workspace_id`, `code_key`, `path`, `is_former_code`, `link_id` FROM `link_aliases`;

CREATE TABLE `link_aliases` (
  `workspace_id` text NOT NULL,
  `code_key` text NOT NULL,
  `path` text NOT NULL,
  `is_former_code` integer NOT NULL,
  `link_id` text NOT NULL,
  PRIMARY KEY(`workspace_id`, `code_key`, `path`)
) WITHOUT ROWID;

CREATE TRIGGER `link_aliases_taken` BEFORE INSERT ON `link_aliases`
WHEN EXISTS (SELECT 1 FROM `link_addresses` AS `other`
              WHERE `other`.`workspace_id` = NEW.`workspace_id` AND `other`.`code_key` = NEW.`code_key`
                AND `other`.`link_id` <> NEW.`link_id`
                AND (`other`.`path` = NEW.`path` OR (`other`.`any_case` AND NEW.`is_former_code`)
                  OR (`other`.`any_case` AND NEW.`path` IN (NEW.`code_key`, upper(NEW.`code_key`)))
                  OR (NEW.`is_former_code` AND `other`.`path` IN (NEW.`code_key`, upper(NEW.`code_key`)))))
  AND NOT EXISTS (SELECT 1 FROM `transits` WHERE `workspace_id` = NEW.`workspace_id` AND `state` = 'arriving')
BEGIN SELECT RAISE(ABORT, 'alias_taken'); END;

CREATE TRIGGER `link_aliases_target_delete` AFTER DELETE ON `link_aliases`
BEGIN
  INSERT INTO `target_changes` (`workspace_id`, `code_key`, `changed_at`)
  VALUES (OLD.`workspace_id`, OLD.`code_key`, CAST(unixepoch('subsec') * 1000 AS INTEGER));
END;

CREATE TRIGGER `link_aliases_target_insert` AFTER INSERT ON `link_aliases`
WHEN (SELECT count(*) FROM `link_addresses` AS `other`
       WHERE `other`.`workspace_id` = NEW.`workspace_id` AND `other`.`code_key` = NEW.`code_key`) > 1
BEGIN
  INSERT INTO `target_changes` (`workspace_id`, `code_key`, `changed_at`)
  VALUES (NEW.`workspace_id`, NEW.`code_key`, CAST(unixepoch('subsec') * 1000 AS INTEGER));
END;

CREATE TRIGGER `link_aliases_variants` BEFORE INSERT ON `link_aliases`
WHEN (SELECT count(*) FROM `link_aliases` AS `other`
       WHERE `other`.`workspace_id` = NEW.`workspace_id` AND `other`.`code_key` = NEW.`code_key`) >= 50
  AND NOT EXISTS (SELECT 1 FROM `transits` WHERE `workspace_id` = NEW.`workspace_id` AND `state` = 'arriving')
BEGIN SELECT RAISE(ABORT, 'alias_variants'); END;

CREATE TABLE `link_labels` (
  `workspace_id` text NOT NULL,
  `label` text NOT NULL,
  `link_id` text NOT NULL,
  PRIMARY KEY(`workspace_id`, `label`, `link_id`)
) WITHOUT ROWID;

CREATE VIRTUAL TABLE `link_search` USING fts5(`terms`, tokenize='ascii', content='', columnsize=0, detail=none);

CREATE VIEW `link_search_terms` AS
SELECT `position`,
       -- In pieces of 64 terms, because SQLite looks for a character from the start of a text.
       (WITH RECURSIVE `rests`(`rest`, `prefix`) AS (SELECT `text`, `prefix` UNION ALL
                                                    SELECT substr(`rest`, 65), `prefix` FROM `rests` WHERE length(`rest`) > 66),
                       `pieces`(`piece`, `prefix`) AS MATERIALIZED (SELECT substr(`rest`, 1, 66), `prefix` FROM `rests`)
        SELECT group_concat(`prefix` || hex(substr(`piece`, 1 + `key`, 3)), ' ')
          FROM `pieces`, json_each('[0' || replace(hex(zeroblob(length(`piece`) - 3)), '00', ',0') || ']')) AS `terms`
  FROM (SELECT `position`, printf('%xz', `number`) AS `prefix`,
               char(2, 2) || `code_key` || char(2) || lower(substr(`destination`, 1, 1024))
                          || coalesce(char(2) || lower(`title`), '')
                          || iif(`aliases` = '[]', '', (SELECT group_concat(char(2, 2) || lower(value), '') FROM json_each(`aliases`))) AS `text`
          FROM `links` JOIN `tenants` ON `tenants`.`id` = `workspace_id`
         WHERE `position` IS NOT NULL);

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
  `qr_rendered_at` integer,
  `position` integer, `title` text, `note` text, `archived` integer DEFAULT false NOT NULL, `starts_at` integer, `early_url` text, `early_host` text, `expired_url` text, `expired_host` text, `max_scans` integer, `password_hash` text, `forward_query` integer DEFAULT false NOT NULL, `preview` text, `imported_scans` integer DEFAULT 0 NOT NULL, `ranked_scan_count` integer DEFAULT 0 NOT NULL, `ranked_scan_at` integer, `aliases` text DEFAULT '[]' NOT NULL, `former_codes` text DEFAULT '[]' NOT NULL, `external_id` text, `banned_at` integer, `confirm` integer DEFAULT false NOT NULL, `destination_status` text, `qr_template_id` text,
  FOREIGN KEY (`workspace_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action
);

CREATE INDEX `links_archived` ON `links` (`workspace_id`,`id`) WHERE "links"."archived" = 1;

CREATE INDEX `links_banned` ON `links` (`workspace_id`,`id`) WHERE "links"."banned_at" is not null;

CREATE INDEX `links_broken` ON `links` (`workspace_id`,`id`) WHERE "links"."destination_status" = 'broken';

CREATE UNIQUE INDEX `links_code` ON `links` (`workspace_id`,`code_key`);

CREATE INDEX `links_disabled` ON `links` (`workspace_id`,`id`) WHERE "links"."enabled" = 0;

CREATE UNIQUE INDEX `links_external` ON `links` (`workspace_id`,`external_id`) WHERE "links"."external_id" is not null;

CREATE INDEX `links_last_scanned` ON `links` (`workspace_id`,`ranked_scan_at`,`id`) WHERE "links"."ranked_scan_at" is not null;

CREATE INDEX `links_limited` ON `links` (`workspace_id`,`id`) WHERE "links"."max_scans" is not null;

CREATE INDEX `links_listed` ON `links` (`workspace_id`,`id`) WHERE "links"."archived" = 0;

CREATE INDEX `links_most_scanned` ON `links` (`workspace_id`,`ranked_scan_count`,`id`) WHERE "links"."ranked_scan_count" > 0;

CREATE INDEX `links_newest` ON `links` (`workspace_id`,`id`);

CREATE UNIQUE INDEX `links_position` ON `links` (`position`);

CREATE TRIGGER `links_aliases_delete` AFTER DELETE ON `links` WHEN OLD.`aliases` <> '[]'
BEGIN
  DELETE FROM `link_aliases` WHERE `workspace_id` = OLD.`workspace_id` AND `link_id` = OLD.`id`
     AND (`code_key`, `path`) IN (SELECT lower(value), value FROM json_each(OLD.`aliases`));
END;

CREATE TRIGGER `links_aliases_insert` AFTER INSERT ON `links` WHEN NEW.`aliases` <> '[]'
BEGIN
  INSERT INTO `link_aliases` (`workspace_id`, `code_key`, `path`, `is_former_code`, `link_id`)
  SELECT NEW.`workspace_id`, lower(`alias`.`value`), `alias`.`value`,
         `alias`.`value` IN (SELECT value FROM json_each(NEW.`former_codes`)), NEW.`id`
    FROM json_each(NEW.`aliases`) AS `alias` WHERE true
      ON CONFLICT DO UPDATE SET `is_former_code` = excluded.`is_former_code`, `link_id` = excluded.`link_id`;
END;

CREATE TRIGGER `links_aliases_update` AFTER UPDATE OF `aliases`, `former_codes` ON `links`
WHEN NEW.`aliases` <> OLD.`aliases` OR NEW.`former_codes` <> OLD.`former_codes`
BEGIN
  DELETE FROM `link_aliases` WHERE `workspace_id` = OLD.`workspace_id` AND `link_id` = OLD.`id`
     AND (`code_key`, `path`) IN (SELECT lower(value), value FROM json_each(OLD.`aliases`))
     AND (`path`, `is_former_code`) NOT IN (SELECT `alias`.`value`, `alias`.`value` IN (SELECT value FROM json_each(NEW.`former_codes`))
                                              FROM json_each(NEW.`aliases`) AS `alias`);
  INSERT INTO `link_aliases` (`workspace_id`, `code_key`, `path`, `is_former_code`, `link_id`)
  SELECT NEW.`workspace_id`, lower(`alias`.`value`), `alias`.`value`,
         `alias`.`value` IN (SELECT value FROM json_each(NEW.`former_codes`)), NEW.`id`
    FROM json_each(NEW.`aliases`) AS `alias`
   WHERE NOT EXISTS (SELECT 1 FROM `link_aliases` AS `kept`
                      WHERE `kept`.`workspace_id` = NEW.`workspace_id` AND `kept`.`code_key` = lower(`alias`.`value`)
                        AND `kept`.`path` = `alias`.`value` AND `kept`.`link_id` = NEW.`id`)
      ON CONFLICT DO UPDATE SET `is_former_code` = excluded.`is_former_code`, `link_id` = excluded.`link_id`;
END;

CREATE TRIGGER `links_banned_delete` BEFORE DELETE ON `links`
WHEN OLD.`banned_at` IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM `transits` WHERE `workspace_id` = OLD.`workspace_id` AND `state` IN ('arriving', 'fenced', 'left'))
BEGIN SELECT RAISE(ABORT, 'link_banned'); END;

CREATE TRIGGER `links_banned_update` BEFORE UPDATE OF `updated_at` ON `links`
WHEN OLD.`banned_at` IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM `transits` WHERE `workspace_id` = NEW.`workspace_id` AND `state` = 'arriving')
BEGIN SELECT RAISE(ABORT, 'link_banned'); END;

CREATE TRIGGER `links_blocked_destination` BEFORE UPDATE OF `destination_host` ON `links`
WHEN EXISTS (SELECT 1 FROM `blocked_hosts`) AND EXISTS (
    WITH RECURSIVE `names`(`name`) AS (
      SELECT rtrim(NEW.`destination_host`, '/')
       UNION SELECT substr(`name`, instr(`name`, '.') + 1) FROM `names` WHERE `name` LIKE '%.%.%')
    SELECT 1 FROM `names` CROSS JOIN `blocked_hosts` ON `hostname` = `name` WHERE `is_blocked`)
  AND NOT EXISTS (SELECT 1 FROM `transits` WHERE `workspace_id` = NEW.`workspace_id` AND `state` = 'arriving')
BEGIN SELECT RAISE(ABORT, 'links_blocked_host'); END;

CREATE TRIGGER `links_blocked_early` BEFORE UPDATE OF `early_host` ON `links`
WHEN EXISTS (SELECT 1 FROM `blocked_hosts`) AND EXISTS (
    WITH RECURSIVE `names`(`name`) AS (
      SELECT rtrim(NEW.`early_host`, '/')
       UNION SELECT substr(`name`, instr(`name`, '.') + 1) FROM `names` WHERE `name` LIKE '%.%.%')
    SELECT 1 FROM `names` CROSS JOIN `blocked_hosts` ON `hostname` = `name` WHERE `is_blocked`)
  AND NOT EXISTS (SELECT 1 FROM `transits` WHERE `workspace_id` = NEW.`workspace_id` AND `state` = 'arriving')
BEGIN SELECT RAISE(ABORT, 'links_blocked_host'); END;

CREATE TRIGGER `links_blocked_expired` BEFORE UPDATE OF `expired_host` ON `links`
WHEN EXISTS (SELECT 1 FROM `blocked_hosts`) AND EXISTS (
    WITH RECURSIVE `names`(`name`) AS (
      SELECT rtrim(NEW.`expired_host`, '/')
       UNION SELECT substr(`name`, instr(`name`, '.') + 1) FROM `names` WHERE `name` LIKE '%.%.%')
    SELECT 1 FROM `names` CROSS JOIN `blocked_hosts` ON `hostname` = `name` WHERE `is_blocked`)
  AND NOT EXISTS (SELECT 1 FROM `transits` WHERE `workspace_id` = NEW.`workspace_id` AND `state` = 'arriving')
BEGIN SELECT RAISE(ABORT, 'links_blocked_host'); END;

CREATE TRIGGER `links_blocked_insert` BEFORE INSERT ON `links`
WHEN EXISTS (SELECT 1 FROM `blocked_hosts`) AND EXISTS (
    WITH RECURSIVE `names`(`name`) AS (
      SELECT rtrim(value, '/') FROM json_each(json_insert(NEW.`rule_hosts`, '$[#]', NEW.`destination_host`, '$[#]', NEW.`early_host`, '$[#]', NEW.`expired_host`))
       UNION SELECT substr(`name`, instr(`name`, '.') + 1) FROM `names` WHERE `name` LIKE '%.%.%')
    SELECT 1 FROM `names` CROSS JOIN `blocked_hosts` ON `hostname` = `name` WHERE `is_blocked`)
  AND NOT EXISTS (SELECT 1 FROM `transits` WHERE `workspace_id` = NEW.`workspace_id` AND `state` = 'arriving')
BEGIN SELECT RAISE(ABORT, 'links_blocked_host'); END;

CREATE TRIGGER `links_blocked_rules` BEFORE UPDATE OF `rule_hosts` ON `links`
WHEN EXISTS (SELECT 1 FROM `blocked_hosts`) AND EXISTS (
    WITH RECURSIVE `names`(`name`) AS (
      SELECT rtrim(value, '/') FROM json_each(NEW.`rule_hosts`)
       UNION SELECT substr(`name`, instr(`name`, '.') + 1) FROM `names` WHERE `name` LIKE '%.%.%')
    SELECT 1 FROM `names` CROSS JOIN `blocked_hosts` ON `hostname` = `name` WHERE `is_blocked`)
  AND NOT EXISTS (SELECT 1 FROM `transits` WHERE `workspace_id` = NEW.`workspace_id` AND `state` = 'arriving')
BEGIN SELECT RAISE(ABORT, 'links_blocked_host'); END;

CREATE TRIGGER `links_code_insert` BEFORE INSERT ON `links`
WHEN EXISTS (SELECT 1 FROM `link_aliases` AS `alias`
              WHERE `alias`.`workspace_id` = NEW.`workspace_id` AND `alias`.`code_key` = NEW.`code_key`
                AND `alias`.`link_id` <> NEW.`id`
                AND (`alias`.`is_former_code` OR `alias`.`path` IN (NEW.`short_code`, NEW.`code_key`, upper(NEW.`code_key`))))
  AND NOT EXISTS (SELECT 1 FROM `transits` WHERE `workspace_id` = NEW.`workspace_id` AND `state` = 'arriving')
BEGIN SELECT RAISE(ABORT, 'code_taken'); END;

CREATE TRIGGER `links_code_update` BEFORE UPDATE OF `short_code`, `code_key` ON `links`
WHEN (NEW.`short_code` <> OLD.`short_code` OR NEW.`code_key` <> OLD.`code_key`)
  AND EXISTS (SELECT 1 FROM `link_aliases` AS `alias`
               WHERE `alias`.`workspace_id` = NEW.`workspace_id` AND `alias`.`code_key` = NEW.`code_key`
                 AND `alias`.`link_id` <> NEW.`id`
                 AND (`alias`.`is_former_code` OR `alias`.`path` IN (NEW.`short_code`, NEW.`code_key`, upper(NEW.`code_key`))))
  AND NOT EXISTS (SELECT 1 FROM `transits` WHERE `workspace_id` = NEW.`workspace_id` AND `state` = 'arriving')
BEGIN SELECT RAISE(ABORT, 'code_taken'); END;

CREATE TRIGGER `links_count_archived` AFTER UPDATE OF `archived` ON `links` WHEN NEW.`archived` <> OLD.`archived`
BEGIN
  UPDATE `tenants` SET `archived_count` = `archived_count` + NEW.`archived` - OLD.`archived` WHERE `id` = NEW.`workspace_id`;
END;

CREATE TRIGGER `links_count_delete` AFTER DELETE ON `links`
BEGIN
  UPDATE `tenants` SET `link_count` = `link_count` - 1, `archived_count` = `archived_count` - OLD.`archived`
   WHERE `id` = OLD.`workspace_id`;
END;

CREATE TRIGGER `links_count_insert` AFTER INSERT ON `links`
BEGIN
  UPDATE `tenants` SET `link_count` = `link_count` + 1, `archived_count` = `archived_count` + NEW.`archived`
   WHERE `id` = NEW.`workspace_id`;
END;

CREATE TRIGGER `links_labels_delete` AFTER DELETE ON `links` WHEN OLD.`labels` <> '[]'
BEGIN
  DELETE FROM `link_labels` WHERE `workspace_id` = OLD.`workspace_id` AND `link_id` = OLD.`id`
     AND `label` IN (SELECT value FROM json_each(OLD.`labels`));
END;

CREATE TRIGGER `links_labels_insert` AFTER INSERT ON `links` WHEN NEW.`labels` <> '[]'
BEGIN
  INSERT INTO `link_labels` SELECT DISTINCT NEW.`workspace_id`, value, NEW.`id` FROM json_each(NEW.`labels`);
END;

CREATE TRIGGER `links_labels_update` AFTER UPDATE OF `labels` ON `links` WHEN NEW.`labels` <> OLD.`labels`
BEGIN
  DELETE FROM `link_labels` WHERE `workspace_id` = OLD.`workspace_id` AND `link_id` = OLD.`id`
     AND `label` IN (SELECT value FROM json_each(OLD.`labels`));
  INSERT INTO `link_labels` SELECT DISTINCT NEW.`workspace_id`, value, NEW.`id` FROM json_each(NEW.`labels`);
END;

CREATE TRIGGER `links_own_host_destination` BEFORE UPDATE OF `destination_host` ON `links`
WHEN EXISTS (SELECT 1 FROM `own_hosts` WHERE `hostname` = NEW.`destination_host`)
  AND NOT EXISTS (SELECT 1 FROM `transits` WHERE `workspace_id` = NEW.`workspace_id` AND `state` = 'arriving')
BEGIN SELECT RAISE(ABORT, 'links_own_host'); END;

CREATE TRIGGER `links_own_host_early` BEFORE UPDATE OF `early_host` ON `links`
WHEN EXISTS (SELECT 1 FROM `own_hosts` WHERE `hostname` = NEW.`early_host`)
  AND NOT EXISTS (SELECT 1 FROM `transits` WHERE `workspace_id` = NEW.`workspace_id` AND `state` = 'arriving')
BEGIN SELECT RAISE(ABORT, 'links_own_host'); END;

CREATE TRIGGER `links_own_host_expired` BEFORE UPDATE OF `expired_host` ON `links`
WHEN EXISTS (SELECT 1 FROM `own_hosts` WHERE `hostname` = NEW.`expired_host`)
  AND NOT EXISTS (SELECT 1 FROM `transits` WHERE `workspace_id` = NEW.`workspace_id` AND `state` = 'arriving')
BEGIN SELECT RAISE(ABORT, 'links_own_host'); END;

CREATE TRIGGER `links_own_host_insert` BEFORE INSERT ON `links`
WHEN EXISTS (SELECT 1 FROM `own_hosts` WHERE `hostname` IN (NEW.`destination_host`, NEW.`early_host`, NEW.`expired_host`)
                                       OR `hostname` IN (SELECT value FROM json_each(NEW.`rule_hosts`)))
  AND NOT EXISTS (SELECT 1 FROM `transits` WHERE `workspace_id` = NEW.`workspace_id` AND `state` = 'arriving')
BEGIN SELECT RAISE(ABORT, 'links_own_host'); END;

CREATE TRIGGER `links_own_host_rules` BEFORE UPDATE OF `rule_hosts` ON `links`
WHEN EXISTS (SELECT 1 FROM `own_hosts` WHERE `hostname` IN (SELECT value FROM json_each(NEW.`rule_hosts`)))
  AND NOT EXISTS (SELECT 1 FROM `transits` WHERE `workspace_id` = NEW.`workspace_id` AND `state` = 'arriving')
BEGIN SELECT RAISE(ABORT, 'links_own_host'); END;

CREATE TRIGGER `links_rank_count` AFTER UPDATE OF `scan_count` ON `links`
WHEN NEW.`scan_count` > NEW.`ranked_scan_count` + NEW.`ranked_scan_count` / 4
BEGIN UPDATE `links` SET `ranked_scan_count` = `scan_count` WHERE `workspace_id` = NEW.`workspace_id` AND `id` = NEW.`id`; END;

CREATE TRIGGER `links_rank_time` AFTER UPDATE OF `last_scan_at` ON `links`
WHEN NEW.`last_scan_at` / 86400000 > coalesce(NEW.`ranked_scan_at`, -1) / 86400000
BEGIN UPDATE `links` SET `ranked_scan_at` = `last_scan_at` WHERE `workspace_id` = NEW.`workspace_id` AND `id` = NEW.`id`; END;

CREATE TRIGGER `links_search_delete` BEFORE DELETE ON `links`
BEGIN
  INSERT INTO `link_search` (`link_search`, rowid, `terms`)
  SELECT 'delete', `position`, `terms` FROM `link_search_terms` WHERE `position` = OLD.`position`;
END;

CREATE TRIGGER `links_search_insert` AFTER INSERT ON `links`
BEGIN
  INSERT INTO `link_search` (rowid, `terms`)
  SELECT `position`, `terms` FROM `link_search_terms` WHERE `position` = NEW.`position`;
END;

CREATE TRIGGER `links_search_update_after` AFTER UPDATE OF `position`, `code_key`, `destination`, `title`, `aliases` ON `links`
WHEN NEW.`position` IS NOT OLD.`position` OR NEW.`code_key` <> OLD.`code_key` OR NEW.`destination` <> OLD.`destination`
  OR NEW.`title` IS NOT OLD.`title` OR NEW.`aliases` <> OLD.`aliases`
BEGIN
  INSERT INTO `link_search` (rowid, `terms`)
  SELECT `position`, `terms` FROM `link_search_terms` WHERE `position` = NEW.`position`;
END;

CREATE TRIGGER `links_search_update_before` BEFORE UPDATE OF `position`, `code_key`, `destination`, `title`, `aliases` ON `links`
WHEN NEW.`position` IS NOT OLD.`position` OR NEW.`code_key` <> OLD.`code_key` OR NEW.`destination` <> OLD.`destination`
  OR NEW.`title` IS NOT OLD.`title` OR NEW.`aliases` <> OLD.`aliases`
BEGIN
  INSERT INTO `link_search` (`link_search`, rowid, `terms`)
  SELECT 'delete', `position`, `terms` FROM `link_search_terms` WHERE `position` = OLD.`position`;
END;

CREATE TRIGGER `links_target_delete` AFTER DELETE ON `links`
BEGIN
  INSERT INTO `target_changes` (`workspace_id`, `code_key`, `changed_at`)
  VALUES (OLD.`workspace_id`, OLD.`code_key`, CAST(unixepoch('subsec') * 1000 AS INTEGER));
END;

CREATE TRIGGER `links_target_insert` AFTER INSERT ON `links`
WHEN EXISTS (SELECT 1 FROM `link_aliases` WHERE `workspace_id` = NEW.`workspace_id` AND `code_key` = NEW.`code_key`)
BEGIN
  INSERT INTO `target_changes` (`workspace_id`, `code_key`, `changed_at`)
  VALUES (NEW.`workspace_id`, NEW.`code_key`, CAST(unixepoch('subsec') * 1000 AS INTEGER));
END;

CREATE TRIGGER `links_target_rename` AFTER UPDATE OF `code_key` ON `links` WHEN NEW.`code_key` <> OLD.`code_key`
BEGIN
  INSERT INTO `target_changes` (`workspace_id`, `code_key`, `changed_at`)
  VALUES (NEW.`workspace_id`, NEW.`code_key`, CAST(unixepoch('subsec') * 1000 AS INTEGER));
END;

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
END;

CREATE TRIGGER `links_watch_delete` AFTER DELETE ON `links`
BEGIN
  DELETE FROM `watched_links` WHERE `link_id` = OLD.`id`;
END;

CREATE TRIGGER `links_watch_insert` AFTER INSERT ON `links` WHEN NEW.`destination_status` IS NOT NULL
BEGIN
  INSERT INTO `watched_links` (`link_id`, `workspace_id`) VALUES (NEW.`id`, NEW.`workspace_id`) ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER `links_watch_scan` AFTER UPDATE OF `ranked_scan_at` ON `links` WHEN NEW.`ranked_scan_at` IS NOT NULL
BEGIN
  INSERT INTO `watched_links` (`link_id`, `workspace_id`) VALUES (NEW.`id`, NEW.`workspace_id`) ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER `links_watch_update` AFTER UPDATE OF `destination` ON `links` WHEN NEW.`destination` <> OLD.`destination`
BEGIN
  UPDATE `links` SET `destination_status` = NULL WHERE `id` = NEW.`id` AND `destination_status` IS NOT NULL;
  UPDATE `watched_links` SET `due_at` = 0, `failures` = 0 WHERE `link_id` = NEW.`id`;
END;

CREATE TABLE `moved_rows` (
  `seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
  `workspace_id` text NOT NULL,
  `table_name` text NOT NULL,
  `key` text NOT NULL
);

CREATE TABLE `own_hosts` (
  `hostname` text PRIMARY KEY NOT NULL,
  `number` integer
) WITHOUT ROWID;

CREATE UNIQUE INDEX `own_hosts_number` ON `own_hosts` (`number`);

CREATE TRIGGER `own_hosts_target_delete` AFTER DELETE ON `own_hosts`
BEGIN
  INSERT INTO `target_changes` (`workspace_id`, `code_key`, `changed_at`)
  VALUES ('', OLD.`hostname`, CAST(unixepoch('subsec') * 1000 AS INTEGER));
END;

CREATE TRIGGER `own_hosts_target_insert` AFTER INSERT ON `own_hosts`
BEGIN
  INSERT INTO `target_changes` (`workspace_id`, `code_key`, `changed_at`)
  VALUES ('', NEW.`hostname`, CAST(unixepoch('subsec') * 1000 AS INTEGER));
END;

CREATE TABLE `qr_templates` (
  `id` text PRIMARY KEY NOT NULL,
  `workspace_id` text NOT NULL,
  `name` text NOT NULL,
  `description` text NOT NULL,
  `design` text NOT NULL,
  `created_at` integer NOT NULL,
  `updated_at` integer NOT NULL,
  FOREIGN KEY (`workspace_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action
);

CREATE INDEX `qr_templates_newest` ON `qr_templates` (`workspace_id`,`id`);

CREATE TABLE `scan_costs` (
  `day` integer PRIMARY KEY NOT NULL,
  `scans` integer NOT NULL,
  `counted` integer NOT NULL,
  `swept` integer NOT NULL,
  `events` integer NOT NULL
);

CREATE TABLE `scan_days` (
  `owner` blob NOT NULL,
  `item` blob NOT NULL,
  `day` integer NOT NULL,
  `counts` blob NOT NULL, `visitors` blob DEFAULT x'' NOT NULL,
  PRIMARY KEY(`owner`, `item`, `day`)
);

CREATE TABLE `scan_facts` (
  `day` integer NOT NULL,
  `owner` blob NOT NULL,
  `item` blob NOT NULL,
  `part` integer NOT NULL,
  `facts` blob NOT NULL,
  PRIMARY KEY(`day`, `owner`, `item`, `part`)
);

CREATE TABLE `scan_history` (
  `owner` blob NOT NULL,
  `month` integer NOT NULL,
  `item` blob NOT NULL,
  `human` integer NOT NULL,
  `bot` integer NOT NULL,
  `preview` integer NOT NULL,
  `prefetch` integer NOT NULL,
  `days` text NOT NULL, `scanner` integer DEFAULT 0 NOT NULL,
  PRIMARY KEY(`owner`, `month`, `item`)
) WITHOUT ROWID;

CREATE TABLE `scan_history_counts` (
  `owner` blob NOT NULL,
  `month` integer NOT NULL,
  `item` blob NOT NULL,
  `total` integer NOT NULL,
  `counts` blob NOT NULL,
  PRIMARY KEY(`owner`, `month`, `item`)
);

CREATE TABLE `scan_months` (
  `month` integer NOT NULL,
  `owner` blob NOT NULL,
  `item` blob NOT NULL,
  `human` integer NOT NULL,
  `bot` integer NOT NULL,
  `preview` integer NOT NULL,
  `prefetch` integer NOT NULL,
  `days` text NOT NULL,
  `moves` integer NOT NULL,
  `log` text NOT NULL, `scanner` integer DEFAULT 0 NOT NULL,
  PRIMARY KEY(`month`, `owner`, `item`)
);

CREATE TABLE `scan_parts` (
  `owner` blob NOT NULL,
  `month` integer NOT NULL,
  `item` blob NOT NULL,
  `part` integer NOT NULL,
  `facts` blob NOT NULL,
  PRIMARY KEY(`owner`, `month`, `item`, `part`)
);

CREATE TABLE sqlite_sequence(name,seq);

CREATE TABLE `target_changes` (
  `seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
  `workspace_id` text NOT NULL,
  `code_key` text NOT NULL,
  `changed_at` integer NOT NULL
);

CREATE TABLE `tenants` (
  `id` text PRIMARY KEY NOT NULL,
  `number` integer NOT NULL,
  `link_count` integer DEFAULT 0 NOT NULL,
  `lane_count` integer DEFAULT 0 NOT NULL, `archived_count` integer DEFAULT 0 NOT NULL, `trashed_links` integer DEFAULT 0 NOT NULL, `trashed_pages` integer DEFAULT 0 NOT NULL, `trashed_templates` integer DEFAULT 0 NOT NULL,
  CONSTRAINT "lane_count" CHECK("tenants"."lane_count" < 1048576)
);

CREATE UNIQUE INDEX `tenants_number` ON `tenants` (`number`);

CREATE TABLE `transits` (
  `workspace_id` text PRIMARY KEY NOT NULL,
  `epoch` integer NOT NULL,
  `state` text NOT NULL,
  `position` text
);

CREATE TABLE `trash` (
  `deletion_id` text NOT NULL,
  `workspace_id` text NOT NULL,
  `kind` text NOT NULL,
  `item_id` text NOT NULL,
  `item` text NOT NULL,
  PRIMARY KEY(`workspace_id`, `kind`, `deletion_id`),
  FOREIGN KEY (`workspace_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action
);

CREATE UNIQUE INDEX `trash_item` ON `trash` (`item_id`,`kind`);

CREATE INDEX `trash_oldest` ON `trash` (`deletion_id`);

CREATE TRIGGER `trash_count_delete` AFTER DELETE ON `trash`
BEGIN
  UPDATE `tenants` SET `trashed_links` = `trashed_links` - (OLD.`kind` = 'link'),
                       `trashed_pages` = `trashed_pages` - (OLD.`kind` = 'bio_page'),
                       `trashed_templates` = `trashed_templates` - (OLD.`kind` = 'qr_template')
   WHERE `id` = OLD.`workspace_id`;
END;

CREATE TRIGGER `trash_count_insert` AFTER INSERT ON `trash`
BEGIN
  UPDATE `tenants` SET `trashed_links` = `trashed_links` + (NEW.`kind` = 'link'),
                       `trashed_pages` = `trashed_pages` + (NEW.`kind` = 'bio_page'),
                       `trashed_templates` = `trashed_templates` + (NEW.`kind` = 'qr_template')
   WHERE `id` = NEW.`workspace_id`;
END;

CREATE TRIGGER `trash_page_erased` AFTER DELETE ON `trash`
WHEN OLD.`kind` = 'bio_page' AND NOT EXISTS (SELECT 1 FROM `bio_pages` WHERE `id` = OLD.`item_id`)
  AND NOT EXISTS (SELECT 1 FROM `transits` WHERE `workspace_id` = OLD.`workspace_id` AND `state` IN ('fenced', 'left', 'arriving'))
BEGIN
  INSERT INTO `deleted_series` (`workspace_id`, `owner`)
  SELECT OLD.`workspace_id`, unhex(replace(OLD.`item_id`, '-', '')) WHERE true ON CONFLICT DO NOTHING;
END;

CREATE TABLE `usage_counters` (
  `workspace_id` text NOT NULL,
  `resource` text NOT NULL,
  `cycle` text NOT NULL,
  `used` integer NOT NULL,
  `cap` integer NOT NULL,
  PRIMARY KEY(`workspace_id`, `resource`, `cycle`),
  FOREIGN KEY (`workspace_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action,
  CONSTRAINT "plan_cap" CHECK("usage_counters"."used" <= "usage_counters"."cap")
);

CREATE TABLE `watched_links` (
  `link_id` text PRIMARY KEY NOT NULL,
  `workspace_id` text NOT NULL,
  `due_at` integer DEFAULT 0 NOT NULL,
  `failures` integer DEFAULT 0 NOT NULL
) WITHOUT ROWID;

CREATE INDEX `watched_links_due` ON `watched_links` (`due_at`);

CREATE TABLE `webhook_events` (
  `is_scan` integer NOT NULL,
  `id` text NOT NULL,
  `workspace_id` text NOT NULL,
  `type` text NOT NULL,
  `recipients` text NOT NULL,
  `created_at` integer NOT NULL,
  `fanned_out` integer,
  `payload` text NOT NULL,
  PRIMARY KEY(`is_scan`, `id`)
) WITHOUT ROWID;

CREATE INDEX `webhook_events_pending` ON `webhook_events` (`workspace_id`) WHERE "webhook_events"."fanned_out" is not null;

CREATE TABLE `webhook_lanes` (
  `id` integer PRIMARY KEY NOT NULL,
  `webhook_id` text NOT NULL,
  `workspace_id` text NOT NULL,
  `epoch` integer DEFAULT 0 NOT NULL,
  `deleted_at` integer
);

CREATE INDEX `webhook_lanes_deleted` ON `webhook_lanes` (`deleted_at`) WHERE "webhook_lanes"."deleted_at" is not null;

CREATE UNIQUE INDEX `webhook_lanes_webhook` ON `webhook_lanes` (`webhook_id`);

CREATE TABLE `webhooks` (
  `id` text PRIMARY KEY NOT NULL,
  `workspace_id` text NOT NULL,
  `url` text NOT NULL,
  `hostname` text NOT NULL,
  `description` text NOT NULL,
  `events` text NOT NULL,
  `enabled` integer NOT NULL,
  `disabled_at` integer,
  `secret` text NOT NULL,
  `previous_secrets` text DEFAULT '[]' NOT NULL,
  `created_at` integer NOT NULL,
  `updated_at` integer NOT NULL,
  `skipped_count` integer DEFAULT 0 NOT NULL,
  `skipped_at` integer,
  FOREIGN KEY (`workspace_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action
);

CREATE INDEX `webhooks_newest` ON `webhooks` (`workspace_id`,`id`);

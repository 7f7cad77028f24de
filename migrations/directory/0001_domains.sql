CREATE TABLE `unsettled_hosts` (
	`hostname` text PRIMARY KEY NOT NULL,
	`number` integer,
	`unsettled_at` integer NOT NULL
);
--> statement-breakpoint
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
--> statement-breakpoint
CREATE UNIQUE INDEX `domain_claims_hostname` ON `domain_claims` (`workspace_id`,`hostname`);--> statement-breakpoint
CREATE INDEX `domain_claims_newest` ON `domain_claims` (`workspace_id`,`id`);--> statement-breakpoint
CREATE INDEX `domain_claims_due` ON `domain_claims` (`check_at`) WHERE "domain_claims"."check_at" is not null;--> statement-breakpoint
CREATE INDEX `domain_claims_oldest` ON `domain_claims` (`created_at`) WHERE "domain_claims"."check_at" is not null;--> statement-breakpoint
ALTER TABLE `workspaces` ADD `primary_domain` integer;
--> statement-breakpoint
-- By hand, as drizzle-kit knows no triggers. Whoever adds a host, also the admin command, adds its claim or ends the wait
-- for its proof. The id is a UUIDv7 (RFC 9562).
CREATE TRIGGER `domains_claim` AFTER INSERT ON `domains`
BEGIN
  INSERT INTO `domain_claims` (`id`, `workspace_id`, `hostname`, `created_at`, `is_counted`)
  SELECT substr(printf('%012x', NEW.`created_at`), 1, 8) || '-' || substr(printf('%012x', NEW.`created_at`), 9) || '-7' ||
         substr(lower(hex(randomblob(2))), 2) || '-' || substr('89ab', 1 + (random() & 3), 1) ||
         substr(lower(hex(randomblob(2))), 2) || '-' || lower(hex(randomblob(6))),
         NEW.`workspace_id`, NEW.`hostname`, NEW.`created_at`, 0
   WHERE true
      ON CONFLICT (`workspace_id`, `hostname`) DO UPDATE SET `check_at` = NULL;
END;--> statement-breakpoint
INSERT INTO `domain_claims` (`id`, `workspace_id`, `hostname`, `created_at`, `is_counted`)
SELECT substr(printf('%012x', `created_at`), 1, 8) || '-' || substr(printf('%012x', `created_at`), 9) || '-7' ||
       substr(lower(hex(randomblob(2))), 2) || '-' || substr('89ab', 1 + (random() & 3), 1) ||
       substr(lower(hex(randomblob(2))), 2) || '-' || lower(hex(randomblob(6))),
       `workspace_id`, `hostname`, `created_at`, 0
  FROM `domains` WHERE NOT (`hostname` >= 'deleted:' AND `hostname` < 'deleted;') ORDER BY `number`;--> statement-breakpoint
-- Redirects keep the settings of an active host, and follow the changes of hosts.
CREATE TRIGGER `domain_claims_host_update`
AFTER UPDATE OF `root_url`, `not_found_url`, `expired_url`, `document_version` ON `domain_claims`
WHEN (NEW.`root_url` IS NOT OLD.`root_url` OR NEW.`not_found_url` IS NOT OLD.`not_found_url`
   OR NEW.`expired_url` IS NOT OLD.`expired_url` OR NEW.`document_version` IS NOT OLD.`document_version`)
  AND EXISTS (SELECT 1 FROM `domains` WHERE `hostname` = NEW.`hostname` AND `workspace_id` = NEW.`workspace_id`)
BEGIN
  INSERT INTO `host_changes` (`hostname`, `changed_at`)
  VALUES (NEW.`hostname`, CAST(unixepoch('subsec') * 1000 AS INTEGER));
END;

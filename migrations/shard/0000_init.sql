-- WITHOUT ROWID is written by hand: drizzle-kit cannot express it. The tables in the source say why.
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
--> statement-breakpoint
CREATE TABLE `delivery_backlogs` (
	`workspace_id` text PRIMARY KEY NOT NULL,
	`waiting` integer NOT NULL,
	`cap` integer NOT NULL,
	`turns` text NOT NULL,
	CONSTRAINT "delivery_backlog" CHECK("delivery_backlogs"."waiting" <= "delivery_backlogs"."cap")
) WITHOUT ROWID;
--> statement-breakpoint
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
--> statement-breakpoint
CREATE INDEX `event_deliveries_waiting` ON `event_deliveries` (`lane`,`epoch`,`next_attempt_at`) WHERE "event_deliveries"."next_attempt_at" is not null;--> statement-breakpoint
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
--> statement-breakpoint
CREATE INDEX `webhook_events_pending` ON `webhook_events` (`workspace_id`) WHERE "webhook_events"."fanned_out" is not null;--> statement-breakpoint
CREATE TABLE `webhook_lanes` (
	`id` integer PRIMARY KEY NOT NULL,
	`webhook_id` text NOT NULL,
	`workspace_id` text NOT NULL,
	`epoch` integer DEFAULT 0 NOT NULL,
	`deleted_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `webhook_lanes_webhook` ON `webhook_lanes` (`webhook_id`);--> statement-breakpoint
CREATE INDEX `webhook_lanes_deleted` ON `webhook_lanes` (`deleted_at`) WHERE "webhook_lanes"."deleted_at" is not null;--> statement-breakpoint
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
--> statement-breakpoint
CREATE INDEX `webhooks_newest` ON `webhooks` (`workspace_id`,`id`);--> statement-breakpoint
CREATE TABLE `own_hosts` (
	`hostname` text PRIMARY KEY NOT NULL,
	`number` integer
) WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `own_hosts_number` ON `own_hosts` (`number`);--> statement-breakpoint
CREATE TABLE `tenants` (
	`id` text PRIMARY KEY NOT NULL,
	`number` integer NOT NULL,
	`link_count` integer DEFAULT 0 NOT NULL,
	`lane_count` integer DEFAULT 0 NOT NULL,
	CONSTRAINT "lane_count" CHECK("tenants"."lane_count" < 1048576)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `tenants_number` ON `tenants` (`number`);--> statement-breakpoint
CREATE TABLE `transits` (
	`workspace_id` text PRIMARY KEY NOT NULL,
	`epoch` integer NOT NULL,
	`state` text NOT NULL,
	`position` text
);
--> statement-breakpoint
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
--> statement-breakpoint
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
--> statement-breakpoint
CREATE INDEX `qr_templates_newest` ON `qr_templates` (`workspace_id`,`id`);--> statement-breakpoint
CREATE TABLE `moved_rows` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`workspace_id` text NOT NULL,
	`table_name` text NOT NULL,
	`key` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `link_labels` (
	`workspace_id` text NOT NULL,
	`label` text NOT NULL,
	`link_id` text NOT NULL,
	PRIMARY KEY(`workspace_id`, `label`, `link_id`)
) WITHOUT ROWID;
--> statement-breakpoint
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
	`position` integer,
	FOREIGN KEY (`workspace_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `links_code` ON `links` (`workspace_id`,`code_key`);--> statement-breakpoint
CREATE INDEX `links_newest` ON `links` (`workspace_id`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `links_position` ON `links` (`position`);--> statement-breakpoint
CREATE INDEX `links_disabled` ON `links` (`workspace_id`,`id`) WHERE "links"."enabled" = 0;--> statement-breakpoint
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
--> statement-breakpoint
CREATE INDEX `idempotency_keys_created` ON `idempotency_keys` (`created_at`);--> statement-breakpoint
CREATE TABLE `counted_buckets` (
	`bucket` text PRIMARY KEY NOT NULL,
	`ids` text NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
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
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`workspace_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `bio_pages_newest` ON `bio_pages` (`workspace_id`,`id`);--> statement-breakpoint
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
--> statement-breakpoint
CREATE INDEX `assets_newest` ON `assets` (`workspace_id`,`id`);--> statement-breakpoint
CREATE INDEX `assets_pending` ON `assets` (`created_at`) WHERE "assets"."status" = 'pending';--> statement-breakpoint
CREATE TABLE `deleted_assets` (
	`asset_id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`filename` text NOT NULL,
	`deleted_at` integer NOT NULL,
	`due_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `deleted_assets_due` ON `deleted_assets` (`due_at`);--> statement-breakpoint
CREATE TABLE `deleted_series` (
	`workspace_id` text NOT NULL,
	`owner` blob NOT NULL,
	PRIMARY KEY(`workspace_id`, `owner`),
	FOREIGN KEY (`workspace_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `scan_costs` (
	`day` integer PRIMARY KEY NOT NULL,
	`scans` integer NOT NULL,
	`counted` integer NOT NULL,
	`swept` integer NOT NULL,
	`events` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `scan_days` (
	`owner` blob NOT NULL,
	`item` blob NOT NULL,
	`day` integer NOT NULL,
	`counts` blob NOT NULL,
	PRIMARY KEY(`owner`, `item`, `day`)
);
--> statement-breakpoint
CREATE TABLE `scan_facts` (
	`day` integer NOT NULL,
	`owner` blob NOT NULL,
	`item` blob NOT NULL,
	`part` integer NOT NULL,
	`facts` blob NOT NULL,
	PRIMARY KEY(`day`, `owner`, `item`, `part`)
);
--> statement-breakpoint
CREATE TABLE `scan_history` (
	`owner` blob NOT NULL,
	`month` integer NOT NULL,
	`item` blob NOT NULL,
	`human` integer NOT NULL,
	`bot` integer NOT NULL,
	`preview` integer NOT NULL,
	`prefetch` integer NOT NULL,
	`days` text NOT NULL,
	PRIMARY KEY(`owner`, `month`, `item`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `scan_history_counts` (
	`owner` blob NOT NULL,
	`month` integer NOT NULL,
	`item` blob NOT NULL,
	`total` integer NOT NULL,
	`counts` blob NOT NULL,
	PRIMARY KEY(`owner`, `month`, `item`)
);
--> statement-breakpoint
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
	`log` text NOT NULL,
	PRIMARY KEY(`month`, `owner`, `item`)
);
--> statement-breakpoint
CREATE TABLE `scan_parts` (
	`owner` blob NOT NULL,
	`month` integer NOT NULL,
	`item` blob NOT NULL,
	`part` integer NOT NULL,
	`facts` blob NOT NULL,
	PRIMARY KEY(`owner`, `month`, `item`, `part`)
);--> statement-breakpoint
-- By hand from here: drizzle-kit knows neither triggers nor virtual tables nor views without a definition in the source.
-- A link must not lead to a short host of this deployment. The links of a workspace that arrives are copied as they are:
-- a host may have become ours after them.
CREATE TRIGGER `links_own_host_insert` BEFORE INSERT ON `links`
WHEN EXISTS (SELECT 1 FROM `own_hosts` WHERE `hostname` = NEW.`destination_host` OR `hostname` IN (SELECT value FROM json_each(NEW.`rule_hosts`)))
  AND NOT EXISTS (SELECT 1 FROM `transits` WHERE `workspace_id` = NEW.`workspace_id` AND `state` = 'arriving')
BEGIN SELECT RAISE(ABORT, 'links_own_host'); END;--> statement-breakpoint
-- One for each column: a host that became ours later must not stop a change of the others.
CREATE TRIGGER `links_own_host_destination` BEFORE UPDATE OF `destination_host` ON `links`
WHEN EXISTS (SELECT 1 FROM `own_hosts` WHERE `hostname` = NEW.`destination_host`)
  AND NOT EXISTS (SELECT 1 FROM `transits` WHERE `workspace_id` = NEW.`workspace_id` AND `state` = 'arriving')
BEGIN SELECT RAISE(ABORT, 'links_own_host'); END;--> statement-breakpoint
CREATE TRIGGER `links_own_host_rules` BEFORE UPDATE OF `rule_hosts` ON `links`
WHEN EXISTS (SELECT 1 FROM `own_hosts` WHERE `hostname` IN (SELECT value FROM json_each(NEW.`rule_hosts`)))
  AND NOT EXISTS (SELECT 1 FROM `transits` WHERE `workspace_id` = NEW.`workspace_id` AND `state` = 'arriving')
BEGIN SELECT RAISE(ABORT, 'links_own_host'); END;--> statement-breakpoint
-- The labels of links, each in a row of its own.
CREATE TRIGGER `links_labels_insert` AFTER INSERT ON `links` WHEN NEW.`labels` <> '[]'
BEGIN
  INSERT INTO `link_labels` SELECT DISTINCT NEW.`workspace_id`, value, NEW.`id` FROM json_each(NEW.`labels`);
END;--> statement-breakpoint
CREATE TRIGGER `links_labels_update` AFTER UPDATE OF `labels` ON `links` WHEN NEW.`labels` <> OLD.`labels`
BEGIN
  DELETE FROM `link_labels` WHERE `workspace_id` = OLD.`workspace_id` AND `link_id` = OLD.`id`
     AND `label` IN (SELECT value FROM json_each(OLD.`labels`));
  INSERT INTO `link_labels` SELECT DISTINCT NEW.`workspace_id`, value, NEW.`id` FROM json_each(NEW.`labels`);
END;--> statement-breakpoint
CREATE TRIGGER `links_labels_delete` AFTER DELETE ON `links` WHEN OLD.`labels` <> '[]'
BEGIN
  DELETE FROM `link_labels` WHERE `workspace_id` = OLD.`workspace_id` AND `link_id` = OLD.`id`
     AND `label` IN (SELECT value FROM json_each(OLD.`labels`));
END;--> statement-breakpoint
-- The number of links of each workspace.
CREATE TRIGGER `links_count_insert` AFTER INSERT ON `links`
BEGIN UPDATE `tenants` SET `link_count` = `link_count` + 1 WHERE `id` = NEW.`workspace_id`; END;--> statement-breakpoint
CREATE TRIGGER `links_count_delete` AFTER DELETE ON `links`
BEGIN UPDATE `tenants` SET `link_count` = `link_count` - 1 WHERE `id` = OLD.`workspace_id`; END;--> statement-breakpoint
-- The index holds terms only, neither texts nor places of terms: a search verifies the links that it finds. The built-in
-- tokenizer `trigram` would mix the terms of all workspaces, so a search in one would read those of the others.
CREATE VIRTUAL TABLE `link_search` USING fts5(`terms`, tokenize='ascii', content='', columnsize=0, detail=none);--> statement-breakpoint
-- Terms of each link: the number of its workspace, `z`, and three neighbouring characters of its text in hexadecimal.
-- char(2) occurs in no text. It parts the texts and, doubled, marks the start of the code. Only the first 1,024
-- characters of a destination are indexed, since a bulk creation may have 1 MiB of them. Another searchable column is
-- added by creating this view anew with `|| char(2) || lower(…)`, adding the column to the triggers of updates, and
-- filling the index again.
CREATE VIEW `link_search_terms` AS
SELECT `position`,
       -- SQLite would compute the text again for every character if the recursion counted instead of shortening it.
       (WITH RECURSIVE `tails`(`tail`, `prefix`) AS (SELECT `text`, `prefix` UNION ALL
                                                    SELECT substr(`tail`, 2), `prefix` FROM `tails` WHERE length(`tail`) > 3)
        SELECT group_concat(`prefix` || hex(substr(`tail`, 1, 3)), ' ') FROM `tails`) AS `terms`
  FROM (SELECT `position`, printf('%xz', `number`) AS `prefix`,
               char(2, 2) || `code_key` || char(2) || lower(substr(`destination`, 1, 1024)) AS `text`
          FROM `links` JOIN `tenants` ON `tenants`.`id` = `workspace_id`
         WHERE `position` IS NOT NULL);--> statement-breakpoint
CREATE TRIGGER `links_search_insert` AFTER INSERT ON `links`
BEGIN
  INSERT INTO `link_search` (rowid, `terms`)
  SELECT `position`, `terms` FROM `link_search_terms` WHERE `position` = NEW.`position`;
END;--> statement-breakpoint
-- FTS5 removes an entry by its terms, so they are read before the change: https://www.sqlite.org/fts5.html#the_delete_command
CREATE TRIGGER `links_search_delete` BEFORE DELETE ON `links`
BEGIN
  INSERT INTO `link_search` (`link_search`, rowid, `terms`)
  SELECT 'delete', `position`, `terms` FROM `link_search_terms` WHERE `position` = OLD.`position`;
END;--> statement-breakpoint
CREATE TRIGGER `links_search_update_before` BEFORE UPDATE OF `position`, `code_key`, `destination` ON `links`
WHEN NEW.`position` IS NOT OLD.`position` OR NEW.`code_key` <> OLD.`code_key` OR NEW.`destination` <> OLD.`destination`
BEGIN
  INSERT INTO `link_search` (`link_search`, rowid, `terms`)
  SELECT 'delete', `position`, `terms` FROM `link_search_terms` WHERE `position` = OLD.`position`;
END;--> statement-breakpoint
CREATE TRIGGER `links_search_update_after` AFTER UPDATE OF `position`, `code_key`, `destination` ON `links`
WHEN NEW.`position` IS NOT OLD.`position` OR NEW.`code_key` <> OLD.`code_key` OR NEW.`destination` <> OLD.`destination`
BEGIN
  INSERT INTO `link_search` (rowid, `terms`)
  SELECT `position`, `terms` FROM `link_search_terms` WHERE `position` = NEW.`position`;
END;
--> statement-breakpoint
CREATE TABLE `target_changes` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`workspace_id` text NOT NULL,
	`code_key` text NOT NULL,
	`changed_at` integer NOT NULL
);
--> statement-breakpoint
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

-- WITHOUT ROWID is written by hand: src/webhooks/webhooks.table.ts says why.
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
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`webhook_id` text NOT NULL,
	`workspace_id` text NOT NULL,
	`epoch` integer DEFAULT 0 NOT NULL,
	`deleted_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `webhook_lanes_webhook` ON `webhook_lanes` (`webhook_id`);--> statement-breakpoint
CREATE INDEX `webhook_lanes_deleted` ON `webhook_lanes` (`deleted_at`) WHERE "webhook_lanes"."deleted_at" is not null;--> statement-breakpoint
ALTER TABLE `webhooks` ADD `skipped_count` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `webhooks` ADD `skipped_at` integer;--> statement-breakpoint
-- By hand from here: every endpoint has a lane, and deliveries move from the former tables, which stay empty: no migration
-- drops a table. The deliveries of deleted endpoints go. A delivery becomes the only one of its event.
INSERT INTO `webhook_lanes` (`webhook_id`, `workspace_id`) SELECT `id`, `workspace_id` FROM `webhooks` ORDER BY `id`;--> statement-breakpoint
INSERT OR IGNORE INTO `webhook_events`
SELECT `event_type` = 'link.scanned', substr(`webhook_deliveries`.`id`, 1, 32), `webhook_deliveries`.`workspace_id`, `event_type`,
       json_array(`lane`.`id`), `created_at`, NULL, `payload`
  FROM `webhook_deliveries` JOIN `webhook_lanes` AS `lane` USING (`webhook_id`);--> statement-breakpoint
INSERT INTO `event_deliveries`
SELECT `lane`.`id`, `webhook_deliveries`.`id`, `event_type`, `status`, `attempts`, `attempts_before`, `response_status`,
       `created_at`, `delivered_at`, `failed_at`, 0, `next_attempt_at`
  FROM `webhook_deliveries` JOIN `webhook_lanes` AS `lane` USING (`webhook_id`);--> statement-breakpoint
INSERT INTO `delivery_attempts`
SELECT `webhook_attempts`.* FROM `webhook_attempts`
  JOIN `webhook_deliveries` ON `webhook_deliveries`.`id` = `delivery_id` JOIN `webhook_lanes` USING (`webhook_id`);--> statement-breakpoint
INSERT INTO `delivery_backlogs`
SELECT `workspace_id`, count(*), 9007199254740991, '[]'
  FROM `event_deliveries` JOIN `webhook_lanes` ON `webhook_lanes`.`id` = `lane`
 WHERE `next_attempt_at` IS NOT NULL GROUP BY `workspace_id`;--> statement-breakpoint
DELETE FROM `webhook_attempts`;--> statement-breakpoint
DELETE FROM `webhook_deliveries`;

ALTER TABLE `idempotency_keys` ADD `first_request_id` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `idempotency_keys` ADD `held_until` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
UPDATE `idempotency_keys` SET `first_request_id` = `request_id`;

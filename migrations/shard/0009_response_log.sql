ALTER TABLE `delivery_backlogs` ADD `logged_on` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `delivery_backlogs` ADD `logged_bytes` integer DEFAULT 0 NOT NULL;
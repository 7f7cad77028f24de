ALTER TABLE `scim_tokens` ADD `email_domains` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `members` ADD `formatted_name` text;--> statement-breakpoint
ALTER TABLE `members` ADD `emails` text;--> statement-breakpoint
ALTER TABLE `members` ADD `is_accepted` integer DEFAULT true NOT NULL;
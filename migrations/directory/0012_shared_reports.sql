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
--> statement-breakpoint
CREATE UNIQUE INDEX `reports_token` ON `reports` (`token_hash`);--> statement-breakpoint
CREATE INDEX `reports_newest` ON `reports` (`workspace_id`,`id`);
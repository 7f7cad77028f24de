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
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
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
CREATE INDEX `deleted_assets_due` ON `deleted_assets` (`due_at`);
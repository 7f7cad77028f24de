-- WITHOUT ROWID is by hand: drizzle-kit cannot express it.
CREATE TABLE `deleted_series` (
	`workspace_id` text NOT NULL,
	`owner` blob NOT NULL,
	PRIMARY KEY(`workspace_id`, `owner`),
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
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
CREATE INDEX `members_joined` ON `members` (`workspace_id`,`id`);
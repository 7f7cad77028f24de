-- WITHOUT ROWID is written by hand: src/analytics/analytics.table.ts says why.
CREATE TABLE `scan_hours` (
	`series_id` integer NOT NULL,
	`hour` integer NOT NULL,
	`scans` integer NOT NULL,
	PRIMARY KEY(`series_id`, `hour`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `scan_month_values` (
	`series_id` integer NOT NULL,
	`dimension` integer NOT NULL,
	`month` integer NOT NULL,
	`value` text NOT NULL,
	`scans` integer NOT NULL,
	PRIMARY KEY(`series_id`, `dimension`, `month`, `value`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `scan_series` (
	`id` integer PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`link_id` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `scan_series_of` ON `scan_series` (`workspace_id`,`link_id`);--> statement-breakpoint
CREATE TABLE `scan_values` (
	`series_id` integer NOT NULL,
	`dimension` integer NOT NULL,
	`day` integer NOT NULL,
	`value` text NOT NULL,
	`scans` integer NOT NULL,
	PRIMARY KEY(`series_id`, `dimension`, `day`, `value`)
) WITHOUT ROWID;

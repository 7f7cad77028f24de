-- Scans are counted in few rows: see src/analytics/analytics.table.ts. WITHOUT ROWID is written by hand.
-- The tables scan_series, scan_hours, scan_values, scan_month_values and counted_windows are no longer used. They stay,
-- because a migration drops no table, and what they counted is not carried over.
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
CREATE TABLE `scan_parts` (
	`owner` blob NOT NULL,
	`month` integer NOT NULL,
	`item` blob NOT NULL,
	`part` integer NOT NULL,
	`facts` blob NOT NULL,
	PRIMARY KEY(`owner`, `month`, `item`, `part`)
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
CREATE TABLE `counted_buckets` (
	`bucket` text PRIMARY KEY NOT NULL,
	`ids` text NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
-- Windows that were counted before and may be delivered again.
INSERT INTO counted_buckets (bucket, ids)
SELECT substr(id, 1, 8) || substr(id, 10, 1) AS four_seconds,
       group_concat(substr(id, 11, 3) || substr(id, 25, 12) || ' ', '')
  FROM counted_windows GROUP BY four_seconds;

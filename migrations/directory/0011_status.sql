CREATE TABLE `request_counts` (
	`starts_at` integer NOT NULL,
	`surface` text NOT NULL,
	`requests` integer NOT NULL,
	`failures` integer NOT NULL,
	PRIMARY KEY(`starts_at`, `surface`)
);
--> statement-breakpoint
CREATE TABLE `sweep_runs` (
	`scope` text PRIMARY KEY NOT NULL,
	`ran_at` integer NOT NULL,
	`succeeded` text NOT NULL
);

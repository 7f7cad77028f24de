CREATE TABLE `dead_letters` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`body` text NOT NULL,
	`failed_at` integer NOT NULL,
	`replay_at` integer
);
--> statement-breakpoint
CREATE INDEX `dead_letters_oldest` ON `dead_letters` (`kind`,`failed_at`);--> statement-breakpoint
CREATE INDEX `dead_letters_replayed` ON `dead_letters` (`replay_at`) WHERE replay_at is not null;
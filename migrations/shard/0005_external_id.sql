ALTER TABLE `links` ADD `external_id` text;--> statement-breakpoint
CREATE UNIQUE INDEX `links_external` ON `links` (`workspace_id`,`external_id`) WHERE "links"."external_id" is not null;
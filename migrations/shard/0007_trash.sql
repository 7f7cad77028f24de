CREATE TABLE `trash` (
	`deletion_id` text NOT NULL,
	`workspace_id` text NOT NULL,
	`kind` text NOT NULL,
	`item_id` text NOT NULL,
	`item` text NOT NULL,
	PRIMARY KEY(`workspace_id`, `kind`, `deletion_id`),
	FOREIGN KEY (`workspace_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `trash_item` ON `trash` (`item_id`,`kind`);--> statement-breakpoint
CREATE INDEX `trash_oldest` ON `trash` (`deletion_id`);--> statement-breakpoint
ALTER TABLE `tenants` ADD `trashed_links` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `tenants` ADD `trashed_pages` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `tenants` ADD `trashed_templates` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
-- By hand from here.
CREATE TRIGGER `trash_count_insert` AFTER INSERT ON `trash`
BEGIN
  UPDATE `tenants` SET `trashed_links` = `trashed_links` + (NEW.`kind` = 'link'),
                       `trashed_pages` = `trashed_pages` + (NEW.`kind` = 'bio_page'),
                       `trashed_templates` = `trashed_templates` + (NEW.`kind` = 'qr_template')
   WHERE `id` = NEW.`workspace_id`;
END;--> statement-breakpoint
CREATE TRIGGER `trash_count_delete` AFTER DELETE ON `trash`
BEGIN
  UPDATE `tenants` SET `trashed_links` = `trashed_links` - (OLD.`kind` = 'link'),
                       `trashed_pages` = `trashed_pages` - (OLD.`kind` = 'bio_page'),
                       `trashed_templates` = `trashed_templates` - (OLD.`kind` = 'qr_template')
   WHERE `id` = OLD.`workspace_id`;
END;--> statement-breakpoint
-- Marks the counts of an erased page for the sweep. A restored page is inserted before it leaves the trash. While a
-- workspace moves, marks are copied like other rows.
CREATE TRIGGER `trash_page_erased` AFTER DELETE ON `trash`
WHEN OLD.`kind` = 'bio_page' AND NOT EXISTS (SELECT 1 FROM `bio_pages` WHERE `id` = OLD.`item_id`)
  AND NOT EXISTS (SELECT 1 FROM `transits` WHERE `workspace_id` = OLD.`workspace_id` AND `state` IN ('fenced', 'left', 'arriving'))
BEGIN
  INSERT INTO `deleted_series` (`workspace_id`, `owner`)
  SELECT OLD.`workspace_id`, unhex(replace(OLD.`item_id`, '-', '')) WHERE true ON CONFLICT DO NOTHING;
END;
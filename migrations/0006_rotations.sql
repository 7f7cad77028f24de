ALTER TABLE `webhooks` ADD `previous_secrets` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
UPDATE `webhooks`
   SET `previous_secrets` = json_array(json_object('secret', `previous_secret`, 'until', `previous_secret_until`))
 WHERE `previous_secret` IS NOT NULL;--> statement-breakpoint
ALTER TABLE `webhooks` DROP COLUMN `previous_secret`;--> statement-breakpoint
ALTER TABLE `webhooks` DROP COLUMN `previous_secret_until`;

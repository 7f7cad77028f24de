ALTER TABLE `api_keys` ADD `created_by` text;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `created_by_name` text;--> statement-breakpoint
-- Written by hand: creators of existing keys, from the log entries of their creation.
UPDATE `api_keys` SET (`created_by`, `created_by_name`) = (
  SELECT `actor_id`, `actor_name` FROM `audit_log`
   WHERE `resource_id` = `api_keys`.`id` AND `resource_type` = 'key' AND `actor_type` = 'person'
     AND `changes` -> '$.prefix' IS NOT NULL
   ORDER BY `audit_log`.`id` LIMIT 1);

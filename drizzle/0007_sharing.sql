ALTER TABLE `tombstones` ADD `project_key` text;--> statement-breakpoint
CREATE INDEX `team_items_item` ON `team_items` (`item_id`);
CREATE TABLE `team_items` (
	`id` text NOT NULL,
	`team_id` text NOT NULL,
	`shared_by` text NOT NULL,
	`type` text NOT NULL,
	`item_id` text NOT NULL,
	`shared_at` integer NOT NULL,
	`content` text NOT NULL,
	`project` text,
	`project_key` text,
	`visibility` text NOT NULL,
	PRIMARY KEY(`team_id`, `shared_by`, `type`, `item_id`)
);
--> statement-breakpoint
CREATE INDEX `team_items_shared` ON `team_items` (`team_id`,`shared_at`,`id`);
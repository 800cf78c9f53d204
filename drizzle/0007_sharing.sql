CREATE TABLE `mesh_arrivals` (
	`kind` text NOT NULL,
	`id` text NOT NULL,
	`arrived_at` integer NOT NULL,
	`peer_id` text,
	PRIMARY KEY(`kind`, `id`)
);
--> statement-breakpoint
CREATE INDEX `mesh_arrivals_arrived` ON `mesh_arrivals` (`kind`,`arrived_at`);--> statement-breakpoint
CREATE TABLE `mesh_peers` (
	`id` text PRIMARY KEY NOT NULL,
	`url` text NOT NULL,
	`name` text NOT NULL,
	`shared_scopes` text NOT NULL,
	`project` text,
	`status` text NOT NULL,
	`last_sync_at` integer,
	`last_error` text,
	`pulled_to` text NOT NULL,
	`pushed_to` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
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
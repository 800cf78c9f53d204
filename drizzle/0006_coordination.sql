CREATE TABLE `action_edges` (
	`id` text PRIMARY KEY NOT NULL,
	`type` text NOT NULL,
	`source_action_id` text NOT NULL,
	`target_action_id` text NOT NULL,
	`metadata` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `action_edges_once` ON `action_edges` (`source_action_id`,`type`,`target_action_id`);--> statement-breakpoint
CREATE INDEX `action_edges_target` ON `action_edges` (`target_action_id`,`type`);--> statement-breakpoint
CREATE TABLE `actions` (
	`id` text PRIMARY KEY NOT NULL,
	`title` text NOT NULL,
	`description` text NOT NULL,
	`status` text NOT NULL,
	`block_reason` text,
	`priority` integer NOT NULL,
	`created_by` text,
	`assigned_to` text,
	`project` text,
	`project_key` text,
	`tags` text NOT NULL,
	`source_observation_ids` text NOT NULL,
	`source_memory_ids` text NOT NULL,
	`result` text,
	`parent_id` text,
	`metadata` text,
	`sketch_id` text,
	`crystallized_into` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`completed_at` integer
);
--> statement-breakpoint
CREATE INDEX `actions_updated` ON `actions` (`updated_at`,`id`);--> statement-breakpoint
CREATE INDEX `actions_status` ON `actions` (`status`,`completed_at`);--> statement-breakpoint
CREATE INDEX `actions_project` ON `actions` (`project_key`,`updated_at`);--> statement-breakpoint
CREATE INDEX `actions_parent` ON `actions` (`parent_id`);--> statement-breakpoint
CREATE INDEX `actions_sketch` ON `actions` (`sketch_id`);--> statement-breakpoint
CREATE TABLE `leases` (
	`id` text PRIMARY KEY NOT NULL,
	`action_id` text NOT NULL,
	`agent_id` text NOT NULL,
	`acquired_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`renewed_at` integer,
	`status` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `leases_one_holder` ON `leases` (`action_id`) WHERE status = 'active';--> statement-breakpoint
CREATE INDEX `leases_action` ON `leases` (`action_id`,`acquired_at`);--> statement-breakpoint
CREATE INDEX `leases_expiry` ON `leases` (`status`,`expires_at`);--> statement-breakpoint
CREATE TABLE `sketches` (
	`id` text PRIMARY KEY NOT NULL,
	`title` text NOT NULL,
	`description` text NOT NULL,
	`status` text NOT NULL,
	`action_ids` text NOT NULL,
	`project` text,
	`project_key` text,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`promoted_at` integer,
	`discarded_at` integer
);
--> statement-breakpoint
CREATE INDEX `sketches_created` ON `sketches` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `sketches_expiry` ON `sketches` (`status`,`expires_at`);--> statement-breakpoint
CREATE TABLE `crystals` (
	`id` text PRIMARY KEY NOT NULL,
	`narrative` text NOT NULL,
	`key_outcomes` text NOT NULL,
	`files_affected` text NOT NULL,
	`lessons` text NOT NULL,
	`tags` text NOT NULL,
	`source_action_ids` text NOT NULL,
	`session_id` text,
	`project` text,
	`project_key` text,
	`agent_id` text,
	`provider` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `crystals_created` ON `crystals` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `crystals_project` ON `crystals` (`project_key`,`created_at`);
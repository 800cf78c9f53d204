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
CREATE TABLE `checkpoints` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`description` text NOT NULL,
	`status` text NOT NULL,
	`type` text NOT NULL,
	`linked_action_ids` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`resolved_at` integer,
	`resolved_by` text,
	`result` text,
	`expires_at` integer
);
--> statement-breakpoint
CREATE INDEX `checkpoints_created` ON `checkpoints` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `checkpoints_expiry` ON `checkpoints` (`status`,`expires_at`);--> statement-breakpoint
CREATE TABLE `facets` (
	`id` text NOT NULL,
	`target_id` text NOT NULL,
	`target_type` text NOT NULL,
	`dimension` text NOT NULL,
	`value` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`target_id`, `target_type`, `dimension`, `value`)
);
--> statement-breakpoint
CREATE INDEX `facets_label` ON `facets` (`dimension`,`value`);--> statement-breakpoint
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
CREATE TABLE `routine_runs` (
	`id` text PRIMARY KEY NOT NULL,
	`routine_id` text NOT NULL,
	`started_at` integer NOT NULL,
	`steps` text NOT NULL,
	`initiated_by` text,
	`project` text
);
--> statement-breakpoint
CREATE TABLE `routines` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`description` text NOT NULL,
	`steps` text NOT NULL,
	`frozen` integer NOT NULL,
	`tags` text NOT NULL,
	`source_procedural_ids` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `routines_created` ON `routines` (`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `sentinels` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`type` text NOT NULL,
	`status` text NOT NULL,
	`config` text NOT NULL,
	`result` text,
	`linked_action_ids` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`triggered_at` integer,
	`expires_at` integer,
	`escalated_at` integer,
	`due_at` integer,
	`looked_at_seq` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `sentinels_created` ON `sentinels` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `sentinels_due` ON `sentinels` (`status`,`due_at`);--> statement-breakpoint
CREATE TABLE `signal_receipts` (
	`signal_id` text NOT NULL,
	`reader` text NOT NULL,
	`read_at` integer NOT NULL,
	PRIMARY KEY(`signal_id`, `reader`)
);
--> statement-breakpoint
CREATE TABLE `signals` (
	`id` text PRIMARY KEY NOT NULL,
	`sender` text NOT NULL,
	`recipient` text,
	`thread_id` text NOT NULL,
	`reply_to` text,
	`type` text NOT NULL,
	`content` text NOT NULL,
	`metadata` text,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	`is_read` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `signals_recipient` ON `signals` (`recipient`,`created_at`);--> statement-breakpoint
CREATE INDEX `signals_sender` ON `signals` (`sender`,`created_at`);--> statement-breakpoint
CREATE INDEX `signals_expiry` ON `signals` (`expires_at`);--> statement-breakpoint
CREATE INDEX `signals_unread` ON `signals` (`is_read`) WHERE is_read = 0;--> statement-breakpoint
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
CREATE INDEX `crystals_project` ON `crystals` (`project_key`,`created_at`);--> statement-breakpoint
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
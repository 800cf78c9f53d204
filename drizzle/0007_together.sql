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
CREATE INDEX `signals_unread` ON `signals` (`is_read`) WHERE is_read = 0;
CREATE TABLE `observations` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`session_id` text NOT NULL,
	`project_key` text NOT NULL,
	`agent_id` text,
	`timestamp` integer NOT NULL,
	`received_at` integer NOT NULL,
	`hook_type` text NOT NULL,
	`type` text NOT NULL,
	`title` text NOT NULL,
	`subtitle` text,
	`facts` text NOT NULL,
	`narrative` text NOT NULL,
	`concepts` text NOT NULL,
	`files` text NOT NULL,
	`importance` real NOT NULL,
	`confidence` real NOT NULL,
	`compression` text NOT NULL,
	`tool_name` text,
	`modality` text,
	`image_ref` text,
	`image_description` text,
	`channel` text NOT NULL,
	`content_hash` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `observations_id_unique` ON `observations` (`id`);--> statement-breakpoint
CREATE INDEX `observations_session` ON `observations` (`session_id`,`timestamp`,`seq`);--> statement-breakpoint
CREATE INDEX `observations_hash` ON `observations` (`content_hash`,`received_at`);--> statement-breakpoint
CREATE INDEX `observations_project` ON `observations` (`project_key`,`timestamp`);--> statement-breakpoint
CREATE INDEX `observations_errors` ON `observations` (`project_key`,`title`) WHERE type = 'error';--> statement-breakpoint
CREATE TABLE `raw_events` (
	`observation_id` text PRIMARY KEY NOT NULL,
	`event` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `project_aliases` (
	`name` text NOT NULL,
	`path` text NOT NULL,
	PRIMARY KEY(`name`, `path`)
);
--> statement-breakpoint
CREATE TABLE `sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`project` text NOT NULL,
	`project_key` text NOT NULL,
	`cwd` text NOT NULL,
	`agent_id` text,
	`status` text NOT NULL,
	`started_at` integer NOT NULL,
	`ended_at` integer,
	`updated_at` integer NOT NULL,
	`observation_count` integer DEFAULT 0 NOT NULL,
	`summary` text,
	`first_prompt` text,
	`model` text,
	`commit_shas` text DEFAULT '[]' NOT NULL,
	`last_stop_at` integer,
	`last_stop_seq` integer,
	`tags` text DEFAULT '[]' NOT NULL
);
--> statement-breakpoint
CREATE INDEX `sessions_started` ON `sessions` (`started_at`,`id`);--> statement-breakpoint
CREATE INDEX `sessions_project` ON `sessions` (`project_key`,`started_at`);--> statement-breakpoint
CREATE INDEX `sessions_status` ON `sessions` (`status`,`updated_at`);--> statement-breakpoint
CREATE TABLE `audit_entries` (
	`id` text PRIMARY KEY NOT NULL,
	`timestamp` integer NOT NULL,
	`operation` text NOT NULL,
	`function_id` text NOT NULL,
	`target_ids` text NOT NULL,
	`details` text NOT NULL,
	`quality_score` real,
	`agent_id` text,
	`user_id` text
);
--> statement-breakpoint
CREATE INDEX `audit_time` ON `audit_entries` (`timestamp`,`id`);--> statement-breakpoint
CREATE INDEX `audit_operation` ON `audit_entries` (`operation`,`timestamp`);--> statement-breakpoint
CREATE TABLE `tombstones` (
	`kind` text NOT NULL,
	`id` text NOT NULL,
	`deleted_at` integer NOT NULL,
	PRIMARY KEY(`kind`, `id`)
);
--> statement-breakpoint
CREATE TABLE `document_vectors` (
	`document_id` integer NOT NULL,
	`chunk` integer NOT NULL,
	`fingerprint` text NOT NULL,
	`vector` blob NOT NULL,
	PRIMARY KEY(`document_id`, `chunk`)
);
--> statement-breakpoint
CREATE TABLE `documents` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`kind` text NOT NULL,
	`ref` text NOT NULL,
	`project_key` text,
	`agent_id` text,
	`session_id` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`hidden_after` integer,
	`importance` real NOT NULL,
	`type` text NOT NULL,
	`project` text,
	`forward` blob NOT NULL,
	`title` text NOT NULL,
	`concepts` text NOT NULL,
	`files` text NOT NULL,
	`body` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `documents_session` ON `documents` (`session_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `documents_kind_ref` ON `documents` (`kind`,`ref`);--> statement-breakpoint
CREATE TABLE `pending_vectors` (
	`document_id` integer PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE TABLE `jobs` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`key` text NOT NULL,
	`payload` text NOT NULL,
	`status` text NOT NULL,
	`run_after` integer NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`claimed_by` text,
	`claimed_until` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`error` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `jobs_waiting` ON `jobs` (`kind`,`key`) WHERE status = 'queued';--> statement-breakpoint
CREATE INDEX `jobs_due` ON `jobs` (`status`,`run_after`);--> statement-breakpoint
CREATE TABLE `access_logs` (
	`memory_id` text PRIMARY KEY NOT NULL,
	`count` integer NOT NULL,
	`last_at` integer NOT NULL,
	`recent` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `memories` (
	`id` text PRIMARY KEY NOT NULL,
	`title` text NOT NULL,
	`content` text NOT NULL,
	`type` text NOT NULL,
	`concepts` text NOT NULL,
	`files` text NOT NULL,
	`version` integer NOT NULL,
	`is_latest` integer NOT NULL,
	`project` text,
	`project_key` text,
	`agent_id` text,
	`source_observation_ids` text NOT NULL,
	`session_ids` text NOT NULL,
	`parent_id` text,
	`supersedes` text NOT NULL,
	`related_ids` text NOT NULL,
	`forget_after` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`strength_anchor` real NOT NULL,
	`strength_anchor_at` integer NOT NULL,
	`stability_days` real NOT NULL,
	`recall_count` integer DEFAULT 0 NOT NULL,
	`last_recalled_at` integer,
	`origin` text
);
--> statement-breakpoint
CREATE INDEX `memories_created` ON `memories` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `memories_project` ON `memories` (`project_key`,`is_latest`,`created_at`);--> statement-breakpoint
CREATE INDEX `memories_parent` ON `memories` (`parent_id`);--> statement-breakpoint
CREATE INDEX `memories_forget` ON `memories` (`forget_after`);--> statement-breakpoint
CREATE TABLE `memory_relations` (
	`id` text PRIMARY KEY NOT NULL,
	`type` text NOT NULL,
	`source_id` text NOT NULL,
	`target_id` text NOT NULL,
	`confidence` real NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `relations_source` ON `memory_relations` (`source_id`);--> statement-breakpoint
CREATE INDEX `relations_target` ON `memory_relations` (`target_id`);--> statement-breakpoint
CREATE TABLE `profiles` (
	`project_key` text NOT NULL,
	`agent_id` text NOT NULL,
	`include_orphans` integer NOT NULL,
	`read_keys` text NOT NULL,
	`computed_at` integer NOT NULL,
	`profile` text NOT NULL,
	PRIMARY KEY(`project_key`, `agent_id`, `include_orphans`)
);
--> statement-breakpoint
CREATE TABLE `session_summaries` (
	`session_id` text PRIMARY KEY NOT NULL,
	`project` text NOT NULL,
	`project_key` text NOT NULL,
	`agent_id` text,
	`created_at` integer NOT NULL,
	`title` text NOT NULL,
	`narrative` text NOT NULL,
	`key_decisions` text NOT NULL,
	`files_modified` text NOT NULL,
	`concepts` text NOT NULL,
	`observation_count` integer NOT NULL,
	`last_observation` integer NOT NULL,
	`provider` text NOT NULL,
	`quality_score` real NOT NULL
);
--> statement-breakpoint
CREATE INDEX `summaries_project` ON `session_summaries` (`project_key`,`created_at`);
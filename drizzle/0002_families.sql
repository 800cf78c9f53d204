CREATE TABLE `commit_sessions` (
	`sha` text NOT NULL,
	`session_id` text NOT NULL,
	`position` integer NOT NULL,
	PRIMARY KEY(`sha`, `session_id`)
);
--> statement-breakpoint
CREATE INDEX `commit_sessions_session` ON `commit_sessions` (`session_id`);--> statement-breakpoint
CREATE TABLE `commits` (
	`sha` text PRIMARY KEY NOT NULL,
	`branch` text,
	`message` text,
	`repo` text,
	`author` text,
	`authored_at` integer,
	`files` text DEFAULT '[]' NOT NULL,
	`linked_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `commits_linked` ON `commits` (`linked_at`,`sha`);--> statement-breakpoint
CREATE TABLE `image_links` (
	`observation_id` text NOT NULL,
	`ref` text NOT NULL,
	PRIMARY KEY(`observation_id`, `ref`)
);
--> statement-breakpoint
CREATE INDEX `image_links_ref` ON `image_links` (`ref`);--> statement-breakpoint
CREATE TABLE `image_pins` (
	`ref` text NOT NULL,
	`session_id` text,
	`agent_id` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `image_pins_ref` ON `image_pins` (`ref`);--> statement-breakpoint
CREATE INDEX `image_pins_session` ON `image_pins` (`session_id`);--> statement-breakpoint
CREATE TABLE `images` (
	`ref` text PRIMARY KEY NOT NULL,
	`mime` text NOT NULL,
	`extension` text NOT NULL,
	`bytes` integer NOT NULL,
	`created_at` integer NOT NULL,
	`used_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `images_used` ON `images` (`used_at`);--> statement-breakpoint
CREATE TABLE `pending_compressions` (
	`observation_id` text PRIMARY KEY NOT NULL,
	`session_id` text NOT NULL,
	`tries` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `pending_compressions_session` ON `pending_compressions` (`session_id`,`tries`);--> statement-breakpoint
CREATE TABLE `graph_edges` (
	`key` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`source` integer NOT NULL,
	`target` integer NOT NULL,
	`type` text NOT NULL,
	`given_weight` real,
	`structural` integer NOT NULL,
	`properties` text,
	`origin` text NOT NULL,
	`stale` integer NOT NULL,
	`source_count` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `graph_edges_id_unique` ON `graph_edges` (`id`);--> statement-breakpoint
CREATE INDEX `graph_edges_target` ON `graph_edges` (`target`);--> statement-breakpoint
CREATE TABLE `graph_nodes` (
	`key` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`project_key` text NOT NULL,
	`project` text,
	`type` text NOT NULL,
	`name` text NOT NULL,
	`aliases` text NOT NULL,
	`properties` text NOT NULL,
	`origin` text NOT NULL,
	`stale` integer NOT NULL,
	`degree` integer NOT NULL,
	`source_count` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `graph_nodes_id_unique` ON `graph_nodes` (`id`);--> statement-breakpoint
CREATE INDEX `graph_nodes_busy` ON `graph_nodes` (`degree`) WHERE degree >= 8;--> statement-breakpoint
CREATE TABLE `graph_sources` (
	`key` integer PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`ref` text NOT NULL,
	`agent_id` text,
	`structural` integer NOT NULL,
	`extracted` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `graph_sources_ref` ON `graph_sources` (`ref`,`kind`);--> statement-breakpoint
CREATE TABLE `graph_state` (
	`id` integer PRIMARY KEY NOT NULL,
	`snapshot_at` integer,
	`snapshot_moves` integer,
	`snapshot_nodes` text,
	`snapshot_edges` text
);
--> statement-breakpoint
CREATE TABLE `vector_changes` (
	`change` integer PRIMARY KEY NOT NULL,
	`document_id` integer NOT NULL,
	`stamp` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `vector_codes` (
	`document_id` integer NOT NULL,
	`chunk` integer NOT NULL,
	`fingerprint` text NOT NULL,
	`dimensions` integer NOT NULL,
	`kind` text NOT NULL,
	`project_key` text,
	`agent_id` text,
	`created_at` integer NOT NULL,
	`hidden_after` integer,
	`code` blob NOT NULL,
	PRIMARY KEY(`document_id`, `chunk`)
);
--> statement-breakpoint
CREATE TABLE `consolidation_runs` (
	`project_key` text NOT NULL,
	`agent_key` text NOT NULL,
	`last_run_at` integer NOT NULL,
	PRIMARY KEY(`project_key`, `agent_key`)
);
--> statement-breakpoint
CREATE TABLE `semantic_memories` (
	`id` text PRIMARY KEY NOT NULL,
	`fact` text NOT NULL,
	`fact_key` text NOT NULL,
	`confidence` real NOT NULL,
	`strength` real NOT NULL,
	`project` text,
	`project_key` text,
	`agent_id` text,
	`source_session_ids` text NOT NULL,
	`source_memory_ids` text NOT NULL,
	`access_count` integer NOT NULL,
	`last_accessed_at` integer NOT NULL,
	`provider` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `semantic_fact` ON `semantic_memories` (`fact_key`);--> statement-breakpoint
CREATE INDEX `semantic_project` ON `semantic_memories` (`project_key`,`updated_at`);--> statement-breakpoint
CREATE INDEX `semantic_updated` ON `semantic_memories` (`updated_at`,`id`);--> statement-breakpoint
CREATE TABLE `insights` (
	`id` text PRIMARY KEY NOT NULL,
	`title` text NOT NULL,
	`content` text NOT NULL,
	`content_key` text NOT NULL,
	`confidence` real NOT NULL,
	`decay_rate` real NOT NULL,
	`reinforcements` integer NOT NULL,
	`source_concept_cluster` text NOT NULL,
	`source_memory_ids` text NOT NULL,
	`source_lesson_ids` text NOT NULL,
	`source_crystal_ids` text NOT NULL,
	`project` text,
	`project_key` text,
	`agent_id` text,
	`tags` text NOT NULL,
	`provider` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`last_reinforced_at` integer,
	`deleted` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `insights_content` ON `insights` (`content_key`);--> statement-breakpoint
CREATE INDEX `insights_project` ON `insights` (`project_key`,`deleted`);--> statement-breakpoint
CREATE TABLE `lessons` (
	`id` text PRIMARY KEY NOT NULL,
	`content` text NOT NULL,
	`context` text NOT NULL,
	`content_key` text NOT NULL,
	`confidence` real NOT NULL,
	`decay_rate` real NOT NULL,
	`reinforcements` integer NOT NULL,
	`source` text NOT NULL,
	`source_ids` text NOT NULL,
	`project` text,
	`project_key` text,
	`agent_id` text,
	`tags` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`last_reinforced_at` integer,
	`deleted` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `lessons_content` ON `lessons` (`content_key`);--> statement-breakpoint
CREATE INDEX `lessons_project` ON `lessons` (`project_key`,`deleted`);--> statement-breakpoint
CREATE TABLE `procedural_memories` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`steps` text NOT NULL,
	`trigger_condition` text NOT NULL,
	`expected_outcome` text,
	`frequency` integer NOT NULL,
	`strength` real NOT NULL,
	`last_accessed_at` integer NOT NULL,
	`project` text,
	`project_key` text,
	`agent_id` text,
	`source_session_ids` text NOT NULL,
	`source_observation_ids` text NOT NULL,
	`tags` text NOT NULL,
	`concepts` text NOT NULL,
	`provider` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `procedural_name` ON `procedural_memories` (`name`);--> statement-breakpoint
CREATE INDEX `procedural_project` ON `procedural_memories` (`project_key`,`updated_at`);--> statement-breakpoint
CREATE INDEX `procedural_updated` ON `procedural_memories` (`updated_at`,`id`);--> statement-breakpoint
CREATE TABLE `memory_slots` (
	`scope` text NOT NULL,
	`label` text NOT NULL,
	`project_key` text NOT NULL,
	`agent_id` text NOT NULL,
	`project` text,
	`content` text NOT NULL,
	`size_limit` integer NOT NULL,
	`description` text NOT NULL,
	`pinned` integer NOT NULL,
	`read_only` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`scope`, `label`, `project_key`, `agent_id`)
);
--> statement-breakpoint
CREATE INDEX `slots_project` ON `memory_slots` (`project_key`);--> statement-breakpoint
CREATE TABLE `llm_usage` (
	`day` text NOT NULL,
	`purpose` text NOT NULL,
	`calls` integer NOT NULL,
	`failures` integer NOT NULL,
	`input_tokens` integer NOT NULL,
	`output_tokens` integer NOT NULL,
	PRIMARY KEY(`day`, `purpose`)
);
--> statement-breakpoint
CREATE TABLE `counted_searches` (
	`session_id` text PRIMARY KEY NOT NULL,
	`searched_at` integer NOT NULL,
	`query` text NOT NULL,
	`result_ids` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `followup_counts` (
	`id` integer PRIMARY KEY NOT NULL,
	`searches` integer NOT NULL,
	`followups` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `image_vectors` (
	`ref` text PRIMARY KEY NOT NULL,
	`fingerprint` text NOT NULL,
	`vector` blob,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE `observations` ADD `consolidated_at` integer;--> statement-breakpoint
CREATE INDEX `observations_time` ON `observations` (`timestamp`,`seq`);--> statement-breakpoint
CREATE INDEX `document_vectors_embedded` ON `document_vectors` (`fingerprint`) WHERE chunk = 0;
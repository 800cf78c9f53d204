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
CREATE TABLE `pending_compressions` (
	`observation_id` text PRIMARY KEY NOT NULL,
	`session_id` text NOT NULL,
	`tries` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `pending_compressions_session` ON `pending_compressions` (`session_id`,`tries`);--> statement-breakpoint
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
CREATE INDEX `observations_time` ON `observations` (`timestamp`,`seq`);
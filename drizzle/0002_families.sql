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
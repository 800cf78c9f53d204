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
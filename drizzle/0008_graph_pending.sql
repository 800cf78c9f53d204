CREATE TABLE `graph_pending` (
	`key` integer PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`ref` text NOT NULL,
	`at` integer NOT NULL,
	`traits` text NOT NULL
);

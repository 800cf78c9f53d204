ALTER TABLE `documents` ADD `token_version` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
CREATE INDEX `documents_token_version` ON `documents` (`token_version`);
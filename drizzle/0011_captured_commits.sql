ALTER TABLE `commits` ADD `captured_from` text;--> statement-breakpoint
CREATE INDEX `commits_captured` ON `commits` (`captured_from`) WHERE captured_from IS NOT NULL;
ALTER TABLE `raw_events` ADD `tool_input_from` integer;--> statement-breakpoint
ALTER TABLE `raw_events` ADD `tool_input_length` integer;--> statement-breakpoint
ALTER TABLE `raw_events` ADD `tool_output_from` integer;--> statement-breakpoint
ALTER TABLE `raw_events` ADD `tool_output_length` integer;--> statement-breakpoint
ALTER TABLE `raw_events` ADD `user_prompt_from` integer;--> statement-breakpoint
ALTER TABLE `raw_events` ADD `user_prompt_length` integer;--> statement-breakpoint
ALTER TABLE `raw_events` ADD `assistant_response_from` integer;--> statement-breakpoint
ALTER TABLE `raw_events` ADD `assistant_response_length` integer;--> statement-breakpoint
ALTER TABLE `raw_events` ADD `error_from` integer;--> statement-breakpoint
ALTER TABLE `raw_events` ADD `error_length` integer;
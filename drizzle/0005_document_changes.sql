CREATE TABLE `document_changes` (
	`change` integer PRIMARY KEY NOT NULL,
	`document_id` integer NOT NULL,
	`stamp` integer NOT NULL
);--> statement-breakpoint
CREATE TRIGGER documents_update_changes AFTER UPDATE ON documents BEGIN
  INSERT INTO document_changes (document_id, stamp) VALUES (old.id, random() & 0xffffffff);
END;--> statement-breakpoint
CREATE TRIGGER documents_delete_changes AFTER DELETE ON documents BEGIN
  INSERT INTO document_changes (document_id, stamp) VALUES (old.id, random() & 0xffffffff);
END;--> statement-breakpoint
CREATE TRIGGER document_changes_prune AFTER INSERT ON document_changes WHEN new.change % 4096 = 0 BEGIN
  DELETE FROM document_changes WHERE change <= new.change - 65536;
END;

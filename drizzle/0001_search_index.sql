CREATE VIRTUAL TABLE documents_fts USING fts5(
  title, concepts, files, body, scope,
  content='', contentless_delete=1, detail=full,
  tokenize="ascii tokenchars '_-./\'"
);
--> statement-breakpoint
CREATE VIRTUAL TABLE documents_terms USING fts5vocab('documents_fts', 'row');
--> statement-breakpoint
CREATE TRIGGER documents_delete_fts AFTER DELETE ON documents BEGIN
  DELETE FROM documents_fts WHERE rowid = old.id;
END;
--> statement-breakpoint
CREATE TRIGGER documents_insert_pending AFTER INSERT ON documents BEGIN
  INSERT INTO pending_vectors (document_id) VALUES (new.id);
END;
--> statement-breakpoint
CREATE TRIGGER documents_update_pending AFTER UPDATE OF title, concepts, body ON documents
WHEN old.title <> new.title OR old.concepts <> new.concepts OR old.body <> new.body BEGIN
  DELETE FROM document_vectors WHERE document_id = new.id;
  INSERT INTO pending_vectors (document_id)
    SELECT new.id WHERE NOT EXISTS (SELECT 1 FROM pending_vectors WHERE document_id = new.id);
END;
--> statement-breakpoint
CREATE TRIGGER documents_delete_vectors AFTER DELETE ON documents BEGIN
  DELETE FROM document_vectors WHERE document_id = old.id;
  DELETE FROM pending_vectors WHERE document_id = old.id;
END;

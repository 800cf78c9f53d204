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

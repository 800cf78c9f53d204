CREATE TRIGGER document_vectors_insert AFTER INSERT ON document_vectors BEGIN
  DELETE FROM vector_codes WHERE document_id = new.document_id AND chunk = new.chunk;
  INSERT INTO vector_codes
    (document_id, chunk, fingerprint, dimensions, kind, project_key, agent_id, created_at, hidden_after, code)
  SELECT documents.id, new.chunk, new.fingerprint, length(new.vector) / 4,
    kind, project_key, agent_id, created_at, hidden_after, vector8(new.vector)
  FROM documents WHERE documents.id = new.document_id
    AND CASE WHEN length(new.vector) > 0 AND length(new.vector) % 4 = 0
      THEN vector_distance_cos(new.vector, new.vector) END IS NOT NULL;
  INSERT INTO vector_changes (document_id, stamp) VALUES (new.document_id, random() & 0xffffffff);
END;
--> statement-breakpoint
CREATE TRIGGER document_vectors_update AFTER UPDATE ON document_vectors BEGIN
  DELETE FROM vector_codes WHERE (document_id = old.document_id AND chunk = old.chunk)
    OR (document_id = new.document_id AND chunk = new.chunk);
  INSERT INTO vector_codes
    (document_id, chunk, fingerprint, dimensions, kind, project_key, agent_id, created_at, hidden_after, code)
  SELECT documents.id, new.chunk, new.fingerprint, length(new.vector) / 4,
    kind, project_key, agent_id, created_at, hidden_after, vector8(new.vector)
  FROM documents WHERE documents.id = new.document_id
    AND CASE WHEN length(new.vector) > 0 AND length(new.vector) % 4 = 0
      THEN vector_distance_cos(new.vector, new.vector) END IS NOT NULL;
  INSERT INTO vector_changes (document_id, stamp) VALUES (old.document_id, random() & 0xffffffff);
  INSERT INTO vector_changes (document_id, stamp) VALUES (new.document_id, random() & 0xffffffff);
END;
--> statement-breakpoint
CREATE TRIGGER document_vectors_delete AFTER DELETE ON document_vectors BEGIN
  DELETE FROM vector_codes WHERE document_id = old.document_id AND chunk = old.chunk;
  INSERT INTO vector_changes (document_id, stamp) VALUES (old.document_id, random() & 0xffffffff);
END;
--> statement-breakpoint
CREATE TRIGGER documents_update_vector_scope AFTER UPDATE OF kind, project_key, agent_id, created_at, hidden_after ON documents
WHEN (old.kind IS NOT new.kind OR old.project_key IS NOT new.project_key OR old.agent_id IS NOT new.agent_id OR old.created_at IS NOT new.created_at OR old.hidden_after IS NOT new.hidden_after)
  AND EXISTS (SELECT 1 FROM document_vectors WHERE document_id = new.id) BEGIN
  UPDATE vector_codes SET kind = new.kind, project_key = new.project_key, agent_id = new.agent_id, created_at = new.created_at, hidden_after = new.hidden_after
    WHERE document_id = new.id;
  INSERT INTO vector_changes (document_id, stamp) VALUES (new.id, random() & 0xffffffff);
END;
--> statement-breakpoint
CREATE TRIGGER vector_changes_prune AFTER INSERT ON vector_changes WHEN new.change % 4096 = 0 BEGIN
  DELETE FROM vector_changes WHERE change <= new.change - 65536;
END;
--> statement-breakpoint
INSERT INTO vector_codes
    (document_id, chunk, fingerprint, dimensions, kind, project_key, agent_id, created_at, hidden_after, code)
  SELECT documents.id, document_vectors.chunk, document_vectors.fingerprint, length(document_vectors.vector) / 4,
    kind, project_key, agent_id, created_at, hidden_after, vector8(document_vectors.vector)
  FROM document_vectors, documents WHERE documents.id = document_vectors.document_id
    AND CASE WHEN length(document_vectors.vector) > 0 AND length(document_vectors.vector) % 4 = 0
      THEN vector_distance_cos(document_vectors.vector, document_vectors.vector) END IS NOT NULL;

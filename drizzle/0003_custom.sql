CREATE TRIGGER images_delete_pins AFTER DELETE ON images BEGIN
  DELETE FROM image_pins WHERE ref = old.ref;
END;
--> statement-breakpoint
CREATE TABLE graph_names (
  folded TEXT NOT NULL, type TEXT NOT NULL, project_key TEXT NOT NULL, identity TEXT NOT NULL, node INTEGER NOT NULL,
  PRIMARY KEY (folded, type, project_key, identity)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE graph_name_words (
  word TEXT NOT NULL, project_key TEXT NOT NULL, node INTEGER NOT NULL,
  PRIMARY KEY (word, project_key, node)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE graph_node_links (
  node INTEGER NOT NULL, source INTEGER NOT NULL, PRIMARY KEY (node, source)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX graph_node_links_source ON graph_node_links (source);
--> statement-breakpoint
CREATE TABLE graph_edge_links (
  edge INTEGER NOT NULL, source INTEGER NOT NULL, PRIMARY KEY (edge, source)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX graph_edge_links_source ON graph_edge_links (source);
--> statement-breakpoint
CREATE UNIQUE INDEX graph_edges_identity ON graph_edges (source, target, type);
--> statement-breakpoint
CREATE TABLE graph_counts (
  what TEXT NOT NULL, project_key TEXT NOT NULL, type TEXT NOT NULL, origin TEXT NOT NULL, stale INTEGER NOT NULL,
  ends TEXT NOT NULL, n INTEGER, moves INTEGER,
  PRIMARY KEY (what, project_key, type, origin, stale, ends)
) WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO graph_state (id) VALUES (1);
--> statement-breakpoint
CREATE TRIGGER graph_nodes_delete AFTER DELETE ON graph_nodes BEGIN
  UPDATE graph_counts SET n = n - 1, moves = moves + 1
  WHERE (what, project_key, type, origin, stale, ends) = ('node', old.project_key, old.type, old.origin, old.stale, '');
END;
--> statement-breakpoint
CREATE TRIGGER graph_nodes_change AFTER UPDATE OF origin, stale ON graph_nodes
WHEN old.origin <> new.origin OR old.stale <> new.stale BEGIN
  UPDATE graph_counts SET n = n - 1, moves = moves + 1
  WHERE (what, project_key, type, origin, stale, ends) = ('node', old.project_key, old.type, old.origin, old.stale, '');
  INSERT INTO graph_counts (what, project_key, type, origin, stale, ends, n, moves)
  VALUES ('node', new.project_key, new.type, new.origin, new.stale, '', 1, 1)
  ON CONFLICT (what, project_key, type, origin, stale, ends) DO UPDATE SET n = n + 1, moves = moves + 1;
END;
--> statement-breakpoint
CREATE TRIGGER graph_edges_delete BEFORE DELETE ON graph_edges BEGIN
  UPDATE graph_nodes SET degree = degree - 1 WHERE key IN (old.source, old.target);
  UPDATE graph_counts SET n = n - 1, moves = moves + 1
  WHERE (what, project_key, type, origin, stale, ends) = ('edge', (SELECT project_key FROM graph_nodes WHERE key = old.source), old.type, old.origin, old.stale, (SELECT CASE WHEN a.type = b.type THEN a.type ELSE '' END FROM graph_nodes AS a, graph_nodes AS b
         WHERE a.key = old.source AND b.key = old.target));
END;
--> statement-breakpoint
CREATE TRIGGER graph_edges_change AFTER UPDATE OF origin, stale ON graph_edges
WHEN old.origin <> new.origin OR old.stale <> new.stale BEGIN
  UPDATE graph_counts SET n = n - 1, moves = moves + 1
  WHERE (what, project_key, type, origin, stale, ends) = ('edge', (SELECT project_key FROM graph_nodes WHERE key = old.source), old.type, old.origin, old.stale, (SELECT CASE WHEN a.type = b.type THEN a.type ELSE '' END FROM graph_nodes AS a, graph_nodes AS b
         WHERE a.key = old.source AND b.key = old.target));
  INSERT INTO graph_counts (what, project_key, type, origin, stale, ends, n, moves)
  VALUES ('edge', (SELECT project_key FROM graph_nodes WHERE key = new.source), new.type, new.origin, new.stale, (SELECT CASE WHEN a.type = b.type THEN a.type ELSE '' END FROM graph_nodes AS a, graph_nodes AS b
         WHERE a.key = new.source AND b.key = new.target), 1, 1)
  ON CONFLICT (what, project_key, type, origin, stale, ends) DO UPDATE SET n = n + 1, moves = moves + 1;
END;
--> statement-breakpoint
INSERT INTO jobs (id, kind, key, payload, status, run_after, attempts, created_at, updated_at)
SELECT 'job_' || lower(hex(randomblob(13))), 'graph.backfill', 'graph', '{}', 'queued', 0, 0, at, at
FROM (SELECT CAST(strftime('%s', 'now') AS INTEGER) * 1000 AS at)
WHERE EXISTS (SELECT 1 FROM observations) OR EXISTS (SELECT 1 FROM memories);
--> statement-breakpoint
DROP TRIGGER documents_insert_pending;
--> statement-breakpoint
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
--> statement-breakpoint
CREATE TRIGGER images_delete_vector AFTER DELETE ON images BEGIN
  DELETE FROM image_vectors WHERE ref = old.ref;
END;

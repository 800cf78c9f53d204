/**
 * The triggers that keep the queue of documents without vectors: whoever writes a document queues it in the same
 * write, whoever changes its text throws its vectors away, whoever deletes it leaves nothing behind.
 *
 * No OR IGNORE in here: inside a trigger SQLite puts the conflict rule of the statement that fired it in its place.
 */
export const vectorSchemaSql: readonly string[] = [
  `CREATE TRIGGER documents_insert_pending AFTER INSERT ON documents BEGIN
  INSERT INTO pending_vectors (document_id) VALUES (new.id);
END`,
  `CREATE TRIGGER documents_update_pending AFTER UPDATE OF title, concepts, body ON documents
WHEN old.title <> new.title OR old.concepts <> new.concepts OR old.body <> new.body BEGIN
  DELETE FROM document_vectors WHERE document_id = new.id;
  INSERT INTO pending_vectors (document_id)
    SELECT new.id WHERE NOT EXISTS (SELECT 1 FROM pending_vectors WHERE document_id = new.id);
END`,
  `CREATE TRIGGER documents_delete_vectors AFTER DELETE ON documents BEGIN
  DELETE FROM document_vectors WHERE document_id = old.id;
  DELETE FROM pending_vectors WHERE document_id = old.id;
END`,
];

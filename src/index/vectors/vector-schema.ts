/**
 * The triggers that maintain the queue of documents without vectors. Inserting a document queues it in the same write;
 * changing its text deletes its vectors and queues it; deleting it deletes its vectors and its place in the queue.
 *
 * OR IGNORE cannot be used here: inside a trigger SQLite applies the conflict clause of the statement that fired it.
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

import { keptChanges, prunedEvery } from "../change-log.ts";

/**
 * The triggers behind vector search. Every change to a vector, or to a scope field of a document that has vectors, is
 * logged in `vector_changes` and applied to `vector_codes` in the same write.
 */

const logged = (id: string) =>
  `INSERT INTO vector_changes (document_id, stamp) VALUES (${id}, random() & 0xffffffff)`;

/** Stores the quantised vector of a row, if it is valid: a blob of 32-bit floats that has a direction. */
const codeOf = (row: string, from: string) => `INSERT INTO vector_codes
    (document_id, chunk, fingerprint, dimensions, kind, project_key, agent_id, created_at, hidden_after, code)
  SELECT documents.id, ${row}.chunk, ${row}.fingerprint, length(${row}.vector) / 4,
    kind, project_key, agent_id, created_at, hidden_after, vector8(${row}.vector)
  FROM ${from} WHERE documents.id = ${row}.document_id
    AND CASE WHEN length(${row}.vector) > 0 AND length(${row}.vector) % 4 = 0
      THEN vector_distance_cos(${row}.vector, ${row}.vector) END IS NOT NULL`;

const scopeColumns = ["kind", "project_key", "agent_id", "created_at", "hidden_after"];

export const vectorChangeSchemaSql: readonly string[] = [
  `CREATE TRIGGER document_vectors_insert AFTER INSERT ON document_vectors BEGIN
  DELETE FROM vector_codes WHERE document_id = new.document_id AND chunk = new.chunk;
  ${codeOf("new", "documents")};
  ${logged("new.document_id")};
END`,
  `CREATE TRIGGER document_vectors_update AFTER UPDATE ON document_vectors BEGIN
  DELETE FROM vector_codes WHERE (document_id = old.document_id AND chunk = old.chunk)
    OR (document_id = new.document_id AND chunk = new.chunk);
  ${codeOf("new", "documents")};
  ${logged("old.document_id")};
  ${logged("new.document_id")};
END`,
  `CREATE TRIGGER document_vectors_delete AFTER DELETE ON document_vectors BEGIN
  DELETE FROM vector_codes WHERE document_id = old.document_id AND chunk = old.chunk;
  ${logged("old.document_id")};
END`,
  `CREATE TRIGGER documents_update_vector_scope AFTER UPDATE OF ${scopeColumns.join(", ")} ON documents
WHEN (${scopeColumns.map((column) => `old.${column} IS NOT new.${column}`).join(" OR ")})
  AND EXISTS (SELECT 1 FROM document_vectors WHERE document_id = new.id) BEGIN
  UPDATE vector_codes SET ${scopeColumns.map((column) => `${column} = new.${column}`).join(", ")}
    WHERE document_id = new.id;
  ${logged("new.id")};
END`,
  `CREATE TRIGGER vector_changes_prune AFTER INSERT ON vector_changes WHEN new.change % ${prunedEvery} = 0 BEGIN
  DELETE FROM vector_changes WHERE change <= new.change - ${keptChanges};
END`,
  codeOf("document_vectors", "document_vectors, documents"),
];

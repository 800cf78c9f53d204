/**
 * Drops the trigger that queued new documents for vectors; writers of documents (documents.ts) queue them instead. For
 * a statement that fires a trigger SQLite opens a savepoint, at which FTS5 writes what it has gathered as a segment:
 * that took 220 of the 290 µs per document.
 */
export const pendingVectorSchemaSql: readonly string[] = ["DROP TRIGGER documents_insert_pending"];

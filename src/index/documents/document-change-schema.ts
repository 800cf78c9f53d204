import { keptChanges, prunedEvery } from "../change-log.ts";

/**
 * Triggers that log which documents were changed or deleted, for processes that hold words in memory. New documents
 * are not logged: their ids are larger than all before.
 */

const logged = "INSERT INTO document_changes (document_id, stamp) VALUES (old.id, random() & 0xffffffff)";

export const documentChangeSchemaSql: readonly string[] = [
  `CREATE TRIGGER documents_update_changes AFTER UPDATE ON documents BEGIN
  ${logged};
END`,
  `CREATE TRIGGER documents_delete_changes AFTER DELETE ON documents BEGIN
  ${logged};
END`,
  `CREATE TRIGGER document_changes_prune AFTER INSERT ON document_changes WHEN new.change % ${prunedEvery} = 0 BEGIN
  DELETE FROM document_changes WHERE change <= new.change - ${keptChanges};
END`,
];

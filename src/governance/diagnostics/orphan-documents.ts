import { removeDocuments } from "../../index/documents.ts";
import { type Check, findingOf } from "./check.ts";

/**
 * Entries of the search index whose record is gone. `isThere` is a condition on the record's table that holds for
 * `documents.ref`.
 */
export function orphanDocuments(kind: string, isThere: string): Check {
  const orphans = `SELECT ref FROM documents WHERE kind = '${kind}' AND NOT EXISTS (${isThere})`;
  return {
    category: "index",
    name: "orphan-index-entry",
    find: (connection) =>
      findingOf(connection, orphans, [], (count) => ({
        status: "fail",
        message: `${count} entries of the index for a ${kind} that does not exist`,
      })),
    heal: async (tx) => {
      const refs = (await tx.sql.values(orphans)).map(([ref]) => String(ref));
      await removeDocuments(tx.sql, kind, refs);
      return { fixed: refs.length, details: refs.map((ref) => `the index no longer knows ${kind} ${ref}`) };
    },
  };
}

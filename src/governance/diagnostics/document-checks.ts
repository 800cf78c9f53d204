import { type DocumentInput, putDocuments, removeDocuments } from "../../index/documents/documents.ts";
import { chunksOf } from "../../store/chunks.ts";
import { firstColumn } from "../../store/sql.ts";
import type { Transaction } from "../../store/store.ts";
import { type Check, recordsFound } from "./check.ts";

interface Searchable {
  readonly kind: string;
  /** A table name from our own code, never from input: it becomes part of the SQL. */
  readonly table: string;
  /** SQL condition on the rows that searches find; all rows if undefined. */
  readonly standing?: string;
  /** The index documents of the rows with these ids, at most 500. */
  readonly documents: (tx: Transaction, ids: string[]) => Promise<readonly DocumentInput[]>;
}

const rowsAtOnce = 500;

/**
 * Checks that the records of a kind and the search index agree: no entry is missing and none is left over.
 */
export function documentChecks({ kind, table, standing = "true", documents }: Searchable): Check[] {
  const unindexed = `SELECT id FROM ${table} WHERE ${standing} AND NOT EXISTS
    (SELECT 1 FROM documents WHERE kind = '${kind}' AND ref = ${table}.id)`;
  const orphans = `SELECT ref FROM documents WHERE kind = '${kind}' AND NOT EXISTS
    (SELECT 1 FROM ${table} WHERE id = documents.ref AND ${standing})`;
  return [
    {
      category: "index",
      name: "missing-index-entry",
      find: recordsFound(unindexed, "fail", (count) => `${count} ${table} that no search finds`),
      heal: async (tx) => {
        const ids = await firstColumn(tx.sql, unindexed);
        for (const some of chunksOf(ids, rowsAtOnce))
          await putDocuments(tx.sql, kind, await documents(tx, some));
        return { details: ids.map((id) => `${kind} ${id} is in the index again`) };
      },
    },
    {
      category: "index",
      name: "orphan-index-entry",
      find: recordsFound(
        orphans,
        "fail",
        (count) => `${count} entries of the index for a ${kind} that does not exist`,
      ),
      heal: async (tx) => {
        const refs = await firstColumn(tx.sql, orphans);
        await removeDocuments(tx, kind, refs);
        const details = refs.map((ref) => `the index no longer knows ${kind} ${ref}`);
        return { details, leavesTraces: true };
      },
    },
  ];
}

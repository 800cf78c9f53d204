import { inArray } from "drizzle-orm";
import { type Check, findingOf } from "../../governance/diagnostics/check.ts";
import { orphanDocuments } from "../../governance/diagnostics/orphan-documents.ts";
import { putDocument } from "../../index/documents.ts";
import { crystalDocument } from "./document.ts";
import { crystals } from "./tables.ts";

const rowsAtOnce = 500;

const empty = "SELECT id FROM crystals WHERE trim(narrative) = ''";
const unsourced = `SELECT id FROM crystals WHERE EXISTS (SELECT 1 FROM json_each(source_action_ids)
  WHERE value NOT IN (SELECT id FROM actions))`;
const unindexed = `SELECT id FROM crystals WHERE NOT EXISTS
  (SELECT 1 FROM documents WHERE kind = 'crystal' AND ref = crystals.id)`;

/** What can be wrong with crystals, and between them and the search index. */
export const crystalChecks: readonly Check[] = [
  {
    category: "crystals",
    name: "crystals-empty-content",
    find: (connection) =>
      findingOf(connection, empty, [], (count) => ({ status: "warn", message: `${count} say nothing` })),
  },
  {
    category: "crystals",
    name: "crystals-missing-source",
    find: (connection) =>
      findingOf(connection, unsourced, [], (count) => ({
        status: "warn",
        message: `${count} of actions that are gone`,
      })),
  },
  {
    category: "index",
    name: "missing-index-entry",
    find: (connection) =>
      findingOf(connection, unindexed, [], (count) => ({
        status: "fail",
        message: `${count} crystals that no search finds`,
      })),
    heal: async (tx) => {
      const ids = (await tx.sql.values(unindexed)).map(([id]) => String(id));
      for (let start = 0; start < ids.length; start += rowsAtOnce) {
        const rows = await tx.orm
          .select()
          .from(crystals)
          .where(inArray(crystals.id, ids.slice(start, start + rowsAtOnce)));
        for (const row of rows) await putDocument(tx.sql, crystalDocument(row));
      }
      return { fixed: ids.length, details: ids.map((id) => `crystal ${id} is in the index again`) };
    },
  },
  orphanDocuments("crystal", "SELECT 1 FROM crystals WHERE id = documents.ref"),
];

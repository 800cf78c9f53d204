import { inArray } from "drizzle-orm";
import { type Check, findingOf } from "../../governance/diagnostics/check.ts";
import { orphanDocuments } from "../../governance/diagnostics/orphan-documents.ts";
import { putDocument } from "../../index/documents.ts";
import type { Sessions } from "../sessions/sessions.ts";
import { observationDocument } from "./document.ts";
import { observationRecord } from "./record.ts";
import { observations } from "./tables.ts";

const rowsAtOnce = 500;

const unindexed = `SELECT id FROM observations WHERE NOT EXISTS
  (SELECT 1 FROM documents WHERE kind = 'observation' AND ref = observations.id)`;

/** What can be wrong between observations and the search index. */
export function observationChecks(sessions: Pick<Sessions, "byIds">): Check[] {
  return [
    {
      category: "index",
      name: "missing-index-entry",
      find: (connection) =>
        findingOf(connection, unindexed, [], (count) => ({
          status: "fail",
          message: `${count} observations that no search finds`,
        })),
      heal: async (tx) => {
        const ids = (await tx.sql.values(unindexed)).map(([id]) => String(id));
        for (let start = 0; start < ids.length; start += rowsAtOnce) {
          const rows = await tx.orm
            .select()
            .from(observations)
            .where(inArray(observations.id, ids.slice(start, start + rowsAtOnce)));
          const places = await sessions.byIds(rows.map(({ sessionId }) => sessionId));
          for (const row of rows) {
            const project = places.get(row.sessionId)?.project ?? row.projectKey;
            await putDocument(
              tx.sql,
              observationDocument({ ...row, event: { ...row, project }, compressed: observationRecord(row) }),
            );
          }
        }
        return { fixed: ids.length, details: ids.map((id) => `observation ${id} is in the index again`) };
      },
    },
    orphanDocuments("observation", "SELECT 1 FROM observations WHERE id = documents.ref"),
  ];
}

import { inArray } from "drizzle-orm";
import type { Check } from "../../governance/diagnostics/check.ts";
import { documentChecks } from "../../governance/diagnostics/document-checks.ts";
import type { Sessions } from "../sessions/sessions.ts";
import { observationDocument } from "./document.ts";
import { observationRecord } from "./record.ts";
import { observations } from "./tables.ts";

/** Checks of `doctor` on observations and their index entries. */
export function observationChecks(sessions: Pick<Sessions, "places">): Check[] {
  return documentChecks({
    kind: "observation",
    table: "observations",
    documents: async (connection, ids) => {
      const rows = await connection.orm.select().from(observations).where(inArray(observations.id, ids));
      const places = await sessions.places(
        rows.map(({ sessionId }) => sessionId),
        connection,
      );
      return rows.map((row) => {
        const project = places.get(row.sessionId)?.project ?? row.projectKey;
        return observationDocument({
          ...row,
          event: { ...row, project },
          compressed: observationRecord(row),
        });
      });
    },
  });
}

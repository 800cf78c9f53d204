import * as z from "zod";
import { newestOf } from "../../capture/observations/reads/read-session.ts";
import { sessionHomes } from "../../capture/sessions/activity.ts";
import type { Collection, Writing } from "../../governance/transfer/collection.ts";
import {
  FileId,
  FileText,
  FileTexts,
  FileTime,
  RedactedTags,
  RedactedText,
  RedactedTexts,
} from "../../governance/transfer/file-fields.ts";
import { tableCollection } from "../../governance/transfer/table-collection.ts";
import { TableRows } from "../../store/table-rows.ts";
import { summaryRecord } from "./record.ts";
import { sessionSummaries } from "./tables.ts";

const rows = new TableRows(sessionSummaries, { key: ["sessionId"] });

const whole = tableCollection({
  name: "summaries",
  rows,
  schema: z.object({
    sessionId: FileId,
    project: FileText.optional(),
    agentId: FileId.optional(),
    createdAt: FileTime.optional(),
    title: RedactedText.default(""),
    narrative: RedactedText.default(""),
    keyDecisions: RedactedTexts,
    filesModified: FileTexts,
    concepts: RedactedTags,
    observationCount: z.number().int().min(0).default(0),
    provider: RedactedText.default("extractive"),
    qualityScore: z.number().min(0).max(100).default(0),
  }),
  record: summaryRecord,
  row: async ({ project, createdAt = 0, ...given }, { tx }) => {
    const home = (await sessionHomes(tx.sql, [given.sessionId])).get(given.sessionId);
    if (home === undefined) return "a summary of a session that does not exist was left out";
    return {
      ...given,
      createdAt,
      project: project ?? home.project,
      projectKey: home.projectKey,
      agentId: given.agentId ?? null,
      lastObservation: await newestOf(tx.sql, given.sessionId),
    };
  },
  changedAt: ({ createdAt }) => createdAt,
  settle: dropLoose,
});

/**
 * An import that replaces only the sessions leaves the summaries of deleted ones, which nobody could delete
 * any more.
 */
async function dropLoose({ tx, warn, strategy }: Writing): Promise<void> {
  if (strategy !== "replace") return;
  const { changes } = await tx.sql.run(
    "DELETE FROM session_summaries WHERE NOT EXISTS (SELECT 1 FROM sessions WHERE id = session_id)",
  );
  if (changes > 0) warn("summaries: those of sessions that are gone were dropped");
}

/** For a page of an export, only the summaries of the page's sessions. */
export const summaryCollection: Collection = {
  ...whole,
  pages: async function* (reading) {
    const { sessionIds, connection } = reading;
    if (sessionIds === undefined) yield* whole.pages(reading);
    else {
      const tail = "WHERE session_id IN (SELECT value FROM json_each(?)) ORDER BY session_id";
      const found = await rows.select(connection.sql, tail, [JSON.stringify(sessionIds)]);
      if (found.length > 0) yield found.map((row) => JSON.stringify(summaryRecord(row))).join(",");
    }
  },
};

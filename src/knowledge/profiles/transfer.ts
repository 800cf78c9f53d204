import * as z from "zod";
import type { Collection, Writing } from "../../governance/transfer/collection.ts";
import {
  FileId,
  FileText,
  FileTime,
  RedactedText,
  RedactedTexts,
} from "../../governance/transfer/file-fields.ts";
import { tableCollection } from "../../governance/transfer/table-collection.ts";
import { timeText } from "../../operation/fields.ts";
import { TableRows } from "../../store/table-rows.ts";
import { canonicalKeys, invalidateProfiles } from "./cache.ts";
import { profiles } from "./tables.ts";

const Count = z.number().int().min(0);

const whole = tableCollection({
  name: "profiles",
  rows: new TableRows(profiles, { key: ["projectKey", "agentId", "includeOrphans"] }),
  schema: z.object({
    project: FileText.min(1),
    updatedAt: FileTime,
    topConcepts: z.array(z.object({ concept: RedactedText, frequency: Count })).default(() => []),
    topFiles: z.array(z.object({ file: FileText, frequency: Count })).default(() => []),
    conventions: RedactedTexts,
    commonErrors: RedactedTexts,
    recentActivity: RedactedTexts,
    sessionCount: Count.default(0),
    totalObservations: Count.default(0),
    summary: RedactedText.default(""),
    agentId: FileId.optional(),
    includeOrphans: z.boolean().default(false),
  }),
  record: ({ profile, includeOrphans }) => (includeOrphans ? { ...profile, includeOrphans } : profile),
  row: async ({ includeOrphans, agentId, project, updatedAt, ...profile }, { tx, projects }) => {
    const readKeys = canonicalKeys(await projects.readKeys(tx.sql, project));
    return {
      projectKey: readKeys[0] ?? project,
      agentId: agentId ?? "",
      includeOrphans,
      readKeys,
      computedAt: updatedAt,
      // In the order of a profile that was computed here, so that an export of it is the same.
      profile: {
        project,
        updatedAt: timeText(updatedAt),
        ...profile,
        ...(agentId === undefined ? {} : { agentId }),
      },
    };
  },
  changedAt: ({ computedAt }) => computedAt,
});

/**
 * Before profiles are imported, cached ones of projects that got new rows are dropped, because they lack
 * these rows.
 */
export const profileCollection: Collection = {
  ...whole,
  put: async (writing, rows) => {
    await dropTouched(writing);
    return whole.put(writing, rows);
  },
  settle: dropTouched,
};

async function dropTouched({ tx, touchedProjects }: Writing): Promise<void> {
  for (const key of touchedProjects) await invalidateProfiles(tx.sql, key);
  touchedProjects.clear();
}

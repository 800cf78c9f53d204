import * as z from "zod";
import { TimeText, timeText } from "../../operation/fields.ts";
import { recordOfRow } from "../../operation/record-of.ts";
import type { commits } from "./tables.ts";

const shortLength = 7;
/** The files of a commit that are kept, and those that a request may name. */
export const mostFiles = 1_000;

export const CommitLink = z
  .object({
    sha: z.string().describe("the commit, in the longest form that was given"),
    shortSha: z.string().describe("its first seven characters"),
    branch: z.string().describe("branch that it was made on; empty when never given"),
    message: z.string().describe("commit message; empty when never given"),
    sessionIds: z.array(z.string()).describe("sessions that made it, in the order of linking"),
    linkedAt: TimeText.describe("when it was first linked, which may be long after it was made"),
    repo: z.string().optional().describe("repository"),
    author: z.string().optional().describe("who wrote it"),
    authoredAt: TimeText.optional().describe("when it was made; absent when not known"),
    files: z.array(z.string()).describe("files that it touches, at most 1,000"),
    updatedAt: TimeText.describe("when the link last changed"),
    capturedFrom: z
      .string()
      .optional()
      .describe("observation that named it, until somebody links it; deleted with that observation"),
  })
  .meta({ id: "CommitLink" });
export type CommitLink = z.infer<typeof CommitLink>;

export type CommitRow = typeof commits.$inferSelect;

export function commitRecord(row: CommitRow, sessionIds: readonly string[]): CommitLink {
  return recordOfRow(CommitLink, row, {
    shortSha: row.sha.slice(0, shortLength),
    branch: row.branch ?? "",
    message: row.message ?? "",
    sessionIds: [...sessionIds],
    linkedAt: timeText(row.linkedAt),
    authoredAt: timeText(row.authoredAt),
    updatedAt: timeText(row.updatedAt),
  });
}

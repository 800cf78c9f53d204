import * as z from "zod";
import { SessionSummary, type SummaryRow, summaryRecord } from "../../knowledge/summaries/record.ts";
import { TimeText, timeText } from "../../operation/fields.ts";
import { recordOfRow } from "../../operation/record-of.ts";
import type { sessions } from "./tables.ts";

export const SessionStatus = z.enum(["active", "completed", "abandoned"]);
export type SessionStatus = z.infer<typeof SessionStatus>;

export const Session = z
  .object({
    id: z.string().describe("the client's own session id"),
    project: z.string().describe("project as the client named it"),
    cwd: z.string().describe("working directory"),
    startedAt: TimeText.describe("when it began"),
    endedAt: TimeText.optional().describe("when it ended; absent while it is active"),
    status: SessionStatus.describe("active, completed, or abandoned"),
    observationCount: z.number().int().describe("stored observations"),
    agentId: z.string().optional().describe("agent that owns the session"),
    summary: z.string().optional().describe("what the session was about"),
    firstPrompt: z.string().optional().describe("the title given at start, else the first prompt"),
    commitShas: z.array(z.string()).describe("linked commits"),
    updatedAt: TimeText.describe("last activity"),
    tags: z
      .array(z.string())
      .describe("how the session came about, such as implicit or swept, and the program of its agent: codex"),
    model: z.string().optional().describe("model that the client named"),
    summaryDetail: SessionSummary.optional().describe("the whole summary, once there is one"),
  })
  .meta({ id: "Session" });
export type Session = z.infer<typeof Session>;

export type SessionRow = typeof sessions.$inferSelect;

/** How many characters of a title or prompt name a session. */
export const longestSessionName = 200;
/** How many characters of a narrative are the summary of a session. */
export const longestSessionSummary = 500;

export function sessionRecord(row: SessionRow, summary?: SummaryRow): Session {
  return recordOfRow(Session, row, {
    startedAt: timeText(row.startedAt),
    endedAt: timeText(row.endedAt),
    updatedAt: timeText(row.updatedAt),
    summaryDetail: summary && summaryRecord(summary),
  });
}

import * as z from "zod";
import { TimeText, timeText } from "../../operation/fields.ts";
import { recordOfRow } from "../../operation/record-of.ts";
import type { sessionSummaries } from "./tables.ts";

export const SessionSummary = z
  .object({
    sessionId: z.string().describe("session that it is about"),
    project: z.string().describe("project of the session"),
    agentId: z.string().optional().describe("agent of the session"),
    createdAt: TimeText.describe("when it was made"),
    title: z.string().describe("what the session was about"),
    narrative: z.string().describe("what was asked, changed and run, what failed, and how it ended"),
    keyDecisions: z.array(z.string()).describe("decisions that were taken, newest first"),
    filesModified: z.array(z.string()).describe("files that were changed, most often changed first"),
    concepts: z.array(z.string()).describe("tags, most frequent first"),
    observationCount: z
      .number()
      .int()
      .describe("observations that it was made from and that are still stored"),
    provider: z.string().describe("who made it: a model's provider, or extractive for rules"),
    qualityScore: z.number().describe("0 to 100"),
  })
  .meta({ id: "SessionSummary" });
export type SessionSummary = z.infer<typeof SessionSummary>;

export type SummaryRow = typeof sessionSummaries.$inferSelect;

export function summaryRecord(row: SummaryRow): SessionSummary {
  return recordOfRow(SessionSummary, row, {
    createdAt: timeText(row.createdAt),
  });
}

export const Summarized = z.object({
  summary: SessionSummary.describe("the summary as stored"),
  qualityScore: z.number().describe("0 to 100"),
  provider: z.string().describe("who made it: a model's provider, or extractive for rules"),
  warning: z.string().optional().describe("why rules were used instead of a model, or what it left out"),
});
export type Summarized = z.infer<typeof Summarized>;

export function summarized(row: SummaryRow): Summarized {
  return { summary: summaryRecord(row), qualityScore: row.qualityScore, provider: row.provider };
}

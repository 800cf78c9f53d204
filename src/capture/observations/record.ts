import * as z from "zod";
import { TimeText, timeText } from "../../operation/fields.ts";
import { recordOfRow } from "../../operation/record-of.ts";
import { objectIn } from "../../store/json-columns.ts";
import { observationTypes } from "./event-type.ts";
import type { observations } from "./tables.ts";

export const Origin = z.object({
  channel: z
    .enum(["user", "agent", "tool", "import", "shared", "consolidation"])
    .describe("where the record came from"),
  detail: z.string().optional().describe("more about the source"),
  capturedAt: TimeText.describe("when it was captured"),
});
export type Origin = z.infer<typeof Origin>;

export const ObservationKind = z.enum(observationTypes);
const StoredKind = ObservationKind.catch("other");

export const Compression = z.enum(["synthetic", "llm"]);
export type Compression = z.infer<typeof Compression>;

export const Observation = z
  .object({
    id: z.string().describe("id of the observation"),
    sessionId: z.string().describe("session it belongs to"),
    timestamp: TimeText.describe("the event's time as sent"),
    receivedAt: TimeText.describe("when it arrived"),
    hookType: z.string().describe("hook that sent it"),
    type: ObservationKind.describe("what happened"),
    title: z.string().describe("one line"),
    subtitle: z.string().optional().describe("the tool's input in one line"),
    facts: z.array(z.string()).describe("single facts taken from the event"),
    narrative: z.string().describe("what went in and what came out, shortened"),
    concepts: z.array(z.string()).describe("tags taken from the event"),
    files: z.array(z.string()).describe("files that it touched"),
    importance: z.number().describe("1 to 10"),
    confidence: z.number().describe("0 to 1"),
    compression: Compression.describe("made by rules or by a model"),
    toolName: z.string().optional().describe("tool that ran"),
    modality: z.string().optional().describe("image or mixed; absent for text"),
    imageRef: z.string().optional().describe("SHA-256 of the image"),
    imageDescription: z.string().optional().describe("what the image shows"),
    agentId: z.string().optional().describe("agent of its session"),
    origin: Origin.optional().describe("where it came from"),
    raw: z.record(z.string(), z.unknown()).optional().describe("the whole redacted event, when asked for"),
  })
  .meta({ id: "Observation" });
export type Observation = z.infer<typeof Observation>;

type ObservationRow = typeof observations.$inferSelect;

export function observationRecord(row: ObservationRow, raw?: string): Observation {
  return recordOfRow(Observation, row, {
    timestamp: timeText(row.timestamp),
    receivedAt: timeText(row.receivedAt),
    type: StoredKind.parse(row.type),
    origin: { channel: row.channel, capturedAt: timeText(row.receivedAt) },
    raw: raw === undefined ? null : objectIn(raw),
  });
}

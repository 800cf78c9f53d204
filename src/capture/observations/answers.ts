import * as z from "zod";
import { Compression } from "./record.ts";

export const Receipt = z.object({
  observationId: z.string().describe("the observation; the earlier one for a duplicate"),
  sessionId: z.string().describe("its session"),
  deduplicated: z.boolean().describe("true when the same event was stored before"),
  compressed: z.boolean().describe("true once title, facts and narrative exist"),
  compression: Compression.describe("made by rules or by a model"),
  queued: z.boolean().describe("true when a model will compress it later"),
});
export type Receipt = z.infer<typeof Receipt>;

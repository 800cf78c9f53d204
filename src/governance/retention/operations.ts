import * as z from "zod";
import { defineOperation } from "../../operation/define.ts";
import { dryRunInput } from "../../operation/fields.ts";

const ids = z.array(z.string());
const Dry = z.boolean().describe("true when nothing was deleted");

export const evict = defineOperation({
  id: "retention.evict",
  functionId: "memory.evict",
  summary: "Evict faded and expired memories, and old unimportant observations",
  description: "The hourly sweep does the same for memories. Sessions and summaries are never evicted.",
  http: { method: "POST", path: "/evict", success: 200 },
  cli: { command: "evict", examples: ["memsvc evict --dry-run", "memsvc evict"] },
  deletes: true,
  input: z.object(dryRunInput),
  output: z.object({
    dryRun: Dry,
    decayedMemories: ids.describe("latest versions whose strength fell below the threshold"),
    expiredMemories: ids.describe("memories whose time had come"),
    nonLatestMemories: ids.describe("earlier versions of the decayed and the expired ones"),
    lowImportanceObservations: z.number().int().describe("old observations of little importance"),
    lowImportanceObs: z.number().int().describe("the same number"),
    observationIds: ids.describe("their ids, at most 1,000"),
    staleSessions: z.number().int().describe("sessions that count as abandoned; none is deleted"),
    capEvictions: z.number().int().describe("0: there is no cap"),
    evicted: z.number().int().describe("everything that went, or on a dry run would go"),
    threshold: z.number().describe("strength below which memories go"),
  }),
  errors: ["invalid_input"],
  run: (core, input, caller) => core.retention.evict(input, caller),
});

export const autoForget = defineOperation({
  id: "retention.autoForget",
  functionId: "memory.auto-forget",
  summary: "Forget what has expired, was contradicted, or never mattered",
  http: { method: "POST", path: "/auto-forget", success: 200 },
  cli: { command: "auto-forget", examples: ["memsvc auto-forget --dry-run", "memsvc auto-forget"] },
  deletes: true,
  input: z.object(dryRunInput),
  output: z.object({
    dryRun: Dry,
    ttlExpired: ids.describe("memories whose time had come"),
    contradictions: z
      .array(
        z.object({
          memoryA: z.string().describe("the newer one, which stays"),
          memoryB: z.string().describe("the older one, which it supersedes"),
          similarity: z.number().describe("how alike their texts are, 0 to 1"),
        }),
      )
      .describe("pairs that say nearly the same about the same thing"),
    lowValueObs: ids.describe("observations of little importance, half a year old"),
  }),
  errors: ["invalid_input"],
  run: (core, input, caller) => core.retention.autoForget(input, caller),
});

export const retentionOperations = [evict, autoForget];

import * as z from "zod";
import { defineOperation } from "../../operation/define.ts";
import { dryRunInput } from "../../operation/fields.ts";
import { AutoForgotten, Evicted } from "./answers.ts";

export const evict = defineOperation({
  id: "retention.evict",
  functionId: "memory.evict",
  summary: "Evict faded and expired memories, and old unimportant observations",
  description: "The hourly sweep does the same for memories. Sessions and summaries are never evicted.",
  http: { method: "POST", path: "/evict", success: 200 },
  cli: { command: "evict", examples: ["memsvc evict --dry-run", "memsvc evict"] },
  deletes: true,
  input: z.object(dryRunInput),
  output: Evicted,
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
  output: AutoForgotten,
  errors: ["invalid_input"],
  run: (core, input, caller) => core.retention.autoForget(input, caller),
});

export const retentionOperations = [evict, autoForget];

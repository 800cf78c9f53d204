import * as z from "zod";
import { defineOperation } from "../../operation/define.ts";
import { Id, scopeFields } from "../../operation/fields.ts";
import { Verification } from "./record.ts";

export const verify = defineOperation({
  id: "provenance.verify",
  summary: "Show where a memory or an observation comes from, and what depends on it",
  http: { method: "POST", path: "/verify", success: 200 },
  cli: { command: "verify <id>", examples: ["memsvc verify mem_01…", "memsvc verify obs_01… --json"] },
  mcp: {
    tool: "memory_verify",
    effects: "read",
    title: "Verify",
    description:
      "Show where a memory or an observation comes from, and what depends on it. Use it before you rely on a memory that surprises you.",
    arguments: { id: true },
  },
  input: z.object({ id: Id.describe("memory or observation"), ...scopeFields }),
  output: Verification,
  errors: ["invalid_input", "not_found"],
  run: (core, input) => core.provenance.verify(input),
});

export const provenanceOperations = [verify];

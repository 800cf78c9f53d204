import * as z from "zod";
import { defineOperation } from "../../operation/define.ts";
import { limit, Offset, ProjectName, pageFields, scopeFields } from "../../operation/fields.ts";
import { ProceduralMemory } from "./record.ts";

export const listProcedures = defineOperation({
  id: "procedures.list",
  summary: "List the procedures found in several sessions",
  http: { method: "GET", path: "/procedural", success: 200 },
  cli: {
    command: "procedure list",
    examples: ["memsvc procedure list --project shop", "memsvc procedure list --limit 20 --json"],
  },
  input: z.object({
    project: ProjectName.optional().describe("only procedures of this project"),
    limit: limit(100, 1_000).describe("maximum number"),
    offset: Offset.describe("procedures to skip"),
    ...scopeFields,
  }),
  output: z.object({ procedural: z.array(ProceduralMemory).describe("newest change first"), ...pageFields }),
  errors: ["invalid_input"],
  run: (core, input) => core.procedures.list(input),
});

export const procedureOperations = [listProcedures];

import * as z from "zod";
import { defineOperation } from "../../operation/define.ts";
import { AgentId, Id, limit, Name, Offset, pageFields, Time } from "../../operation/fields.ts";
import { AuditEntry } from "./record.ts";

export const listAudit = defineOperation({
  id: "audit.list",
  summary: "Show what was changed, by whom and when",
  http: { method: "GET", path: "/audit", success: 200 },
  cli: {
    command: "audit",
    examples: ["memsvc audit --limit 20", "memsvc audit --operation forget --since yesterday"],
  },
  mcp: {
    tool: "memory_audit",
    effects: "read",
    title: "Audit",
    description:
      "Show what was changed in the store, by whom and when, newest first. Use it to find out why something is gone, or who wrote it.",
    arguments: { operation: true, limit: true },
    result: "entries",
  },
  input: z.object({
    operation: Name.optional().describe("only this operation, such as remember, evolve, forget or delete"),
    agentId: AgentId.optional().describe("only entries of this agent; `*` for all"),
    targetId: Id.optional().describe("only entries that touched this record"),
    since: Time.optional().describe("only entries since this time"),
    limit: limit(50, 1_000).describe("maximum number of entries, newest first"),
    offset: Offset.describe("entries to skip"),
  }),
  output: z.object({
    entries: z.array(AuditEntry).describe("newest first"),
    ...pageFields,
  }),
  errors: ["invalid_input"],
  run: (core, input) => core.audit.list(input),
});

export const auditOperations = [listAudit];

import * as z from "zod";
import { MemoryType } from "../../knowledge/memories/record.ts";
import { defineOperation } from "../../operation/define.ts";
import {
  AgentId,
  dryRunInput,
  EndTime,
  Ids,
  num,
  optionalText,
  ProjectName,
  Time,
} from "../../operation/fields.ts";
import { BulkDeleted, DeletedMemories, ForgottenProject } from "./answers.ts";

const Reason = optionalText(1_000).optional().describe("why, for the audit entry");

export const deleteMemories = defineOperation({
  id: "governance.delete",
  functionId: "governance.delete",
  summary: "Delete memories by id, whatever their version or agent",
  description: "All or nothing. The audit records the requested ids even if none of them exists.",
  http: { method: "DELETE", path: "/governance/memories", success: 200 },
  cli: {
    command: "governance delete <memoryIds...>",
    examples: [
      "memsvc governance delete mem_01… mem_02… --dry-run",
      'memsvc governance delete mem_01… mem_02… --reason "asked for by the customer"',
    ],
  },
  mcp: {
    tool: "memory_governance_delete",
    effects: "destroy",
    idempotent: true,
    title: "Delete memories",
    description:
      "Delete memories by id, whatever their version or agent, with a reason for the audit. Use it only when the user asks to delete certain memories.",
    arguments: { memoryIds: true, reason: { default: "deleted through MCP" } },
  },
  deletes: true,
  input: z.object({ memoryIds: Ids.describe("memories to delete"), reason: Reason, ...dryRunInput }),
  output: DeletedMemories,
  errors: ["invalid_input", "not_found"],
  run: (core, input, caller) => core.governance.deleteMemories(input, caller),
});

export const bulkDelete = defineOperation({
  id: "governance.bulkDelete",
  functionId: "governance.bulk-delete",
  summary: "Delete all memories that match all the given filters",
  description: "Earlier versions are included. With dryRun it only shows which memories would be deleted.",
  http: { method: "POST", path: "/governance/bulk-delete", success: 200 },
  cli: {
    command: "governance bulk-delete",
    examples: [
      "memsvc governance bulk-delete --project old-shop --dry-run",
      "memsvc governance bulk-delete --type fact --quality-below 0.2 --date-to 2025-12-31",
    ],
    asksFirst: true,
    bulk: true,
  },
  deletes: true,
  input: z
    .object({
      type: z.array(MemoryType).min(1).max(6).optional().describe("only these kinds"),
      dateFrom: Time.optional().describe("only memories created at or after this time"),
      dateTo: EndTime.optional().describe(
        "only memories created at or before this time; a date means the end of that day",
      ),
      qualityBelow: num(0, 1).optional().describe("only memories whose current strength is below this value"),
      project: ProjectName.optional().describe("only memories of this project"),
      agentId: AgentId.optional().describe("only memories of this agent"),
      ...dryRunInput,
      reason: Reason,
    })
    // `*` means no agent in particular, as in writes.
    .transform((input) => (input.agentId === "*" ? { ...input, agentId: undefined } : input))
    .refine(
      ({ dryRun, reason: _reason, ...filters }) =>
        dryRun === true || Object.values(filters).some((filter) => filter !== undefined),
      "a filter is needed (type, dateFrom, dateTo, qualityBelow, project or agentId), or dryRun",
    )
    .refine(({ dateFrom, dateTo }) => dateFrom === undefined || dateTo === undefined || dateFrom <= dateTo, {
      path: ["dateTo"],
      message: "dateTo is before dateFrom",
    }),
  output: BulkDeleted,
  errors: ["invalid_input"],
  run: (core, input, caller) => core.governance.bulkDelete(input, caller),
});

export const forgetProject = defineOperation({
  id: "governance.forgetProject",
  functionId: "governance.forget-project",
  summary: "Delete everything that is stored for a project, whatever its agent",
  description:
    "Sessions with their observations, memories, lessons, what was derived from them, shared work and slots. Audit entries, snapshots and exports stay. If it is interrupted, run it again to delete the rest.",
  http: { method: "POST", path: "/governance/forget-project", success: 200 },
  cli: {
    command: "project forget <project>",
    examples: ["memsvc project forget ~/code/old-shop --dry-run", "memsvc project forget ."],
    asksFirst: true,
  },
  deletes: true,
  input: z.object({
    project: ProjectName.describe("folder or name of the project"),
    reason: Reason,
    ...dryRunInput,
  }),
  output: ForgottenProject,
  errors: ["invalid_input", "not_found", "conflict"],
  run: (core, input, caller) => core.governance.forgetProject(input, caller),
});

export const governanceOperations = [deleteMemories, bulkDelete, forgetProject];

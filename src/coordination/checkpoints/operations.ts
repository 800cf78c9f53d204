import * as z from "zod";
import { defineOperation } from "../../operation/define.ts";
import { ExpiresInMs, Id, Json, limit, Name, Offset, pageFields } from "../../operation/fields.ts";
import { linkedActions } from "../actions/record.ts";
import { UnblockedTitles, withUnblockedTitles } from "../actions/unblocked.ts";
import { Description } from "../long-texts.ts";
import { Checkpoint, CheckpointStatus, CheckpointType, ListedCheckpoint } from "./record.ts";

export const createCheckpoint = defineOperation({
  id: "checkpoints.create",
  functionId: "checkpoint.create",
  summary: "Create a checkpoint that actions have to wait for",
  description:
    "Pending linked actions are blocked until it passes. A timer passes by itself; any other checkpoint expires, and its actions stay blocked.",
  http: { method: "POST", path: "/checkpoints", success: 201 },
  cli: {
    command: "checkpoint create <name...>",
    flags: { linkedActionIds: "linked-action-id" },
    examples: [
      'memsvc checkpoint create "CI is green" --type ci --linked-action-id act_01…',
      'memsvc checkpoint create "Cool-down" --type timer --expires-in-ms 600000',
    ],
  },
  mcp: {
    tool: "memory_checkpoint",
    effects: "write",
    title: "Checkpoints",
    description:
      "Create a checkpoint that actions wait for, decide it, or list checkpoints. Use it when work must not continue before an approval, a deployment or a check.",
    chosenBy: { argument: "operation", value: "create" },
    arguments: {
      name: true,
      type: {
        description: "who or what decides; timer needs expiresInMs, the milliseconds after which it passes",
      },
      linkedActionIds: true,
      description: true,
      expiresInMs: { unlisted: true },
    },
  },
  input: z
    .object({
      name: Name.describe("what is waited for"),
      description: Description.optional().describe("longer description"),
      type: CheckpointType.default("external").describe("who or what decides"),
      ...linkedActions,
      expiresInMs: ExpiresInMs.optional().describe(
        "milliseconds after which a timer passes (required) or another checkpoint expires",
      ),
    })
    .refine(({ type, expiresInMs }) => type !== "timer" || expiresInMs !== undefined, {
      path: ["expiresInMs"],
      message: "a timer needs expiresInMs: the milliseconds after which it passes",
    }),
  output: z.object({
    checkpoint: Checkpoint.describe("the checkpoint as stored"),
    blocked: z.array(z.string()).describe("actions that became blocked by it"),
  }),
  errors: ["invalid_input", "not_found"],
  run: (core, input, caller) => core.checkpoints.create(input, caller),
});

export const resolveCheckpoint = defineOperation({
  id: "checkpoints.resolve",
  functionId: "checkpoint.resolve",
  summary: "Decide that a checkpoint passed or failed; this is final",
  description:
    "When it passes, actions that waited only for it become pending. An expired checkpoint can still be resolved.",
  http: { method: "POST", path: "/checkpoints/resolve", success: 200 },
  cli: {
    command: "checkpoint resolve <checkpointId> <status>",
    examples: [
      "memsvc checkpoint resolve chk_01… passed --resolved-by ann",
      "memsvc checkpoint resolve chk_01… failed --result '{\"job\": 42}'",
    ],
  },
  mcp: {
    tool: "memory_checkpoint",
    effects: "write",
    chosenBy: { argument: "operation", value: "resolve" },
    arguments: { checkpointId: true, status: true, resolvedBy: true },
  },
  input: z.object({
    checkpointId: Id.describe("checkpoint to decide"),
    status: z.enum(["passed", "failed"]).describe("what was decided"),
    resolvedBy: Id.optional().describe("who decided"),
    result: Json.optional().describe("the result, as JSON"),
  }),
  output: z.object({
    checkpoint: Checkpoint.describe("the checkpoint, decided"),
    unblockedCount: z.number().int().describe("actions that became pending by it"),
    unblocked: z.array(z.string()).describe("their ids"),
    unblockedTitles: UnblockedTitles,
  }),
  errors: ["invalid_input", "not_found", "conflict"],
  run: async (core, input, caller) => {
    const { checkpoint, unblocked } = await core.checkpoints.resolve(input, caller);
    return withUnblockedTitles(core, { checkpoint, unblockedCount: unblocked.length, unblocked });
  },
});

export const listCheckpoints = defineOperation({
  id: "checkpoints.list",
  summary: "List checkpoints, newest first",
  http: { method: "GET", path: "/checkpoints", success: 200 },
  cli: {
    command: "checkpoint list",
    examples: ["memsvc checkpoint list --status pending", "memsvc checkpoint list --type ci --json"],
  },
  mcp: {
    tool: "memory_checkpoint",
    effects: "write",
    chosenBy: { argument: "operation", value: "list" },
    arguments: { status: true, type: true },
  },
  input: z.object({
    status: CheckpointStatus.optional().describe("only checkpoints in this state"),
    type: CheckpointType.optional().describe("only checkpoints of this kind"),
    limit: limit(100, 1_000).describe("maximum number"),
    offset: Offset.describe("checkpoints to skip"),
  }),
  output: z.object({ checkpoints: z.array(ListedCheckpoint).describe("newest first"), ...pageFields }),
  errors: ["invalid_input"],
  run: (core, input) => core.checkpoints.list(input),
});

export const checkpointOperations = [createCheckpoint, resolveCheckpoint, listCheckpoints];

import * as z from "zod";
import { defineOperation } from "../../operation/define.ts";
import {
  ExpiresInMs,
  Id,
  Json,
  JsonObject,
  limit,
  Name,
  Offset,
  pageFields,
} from "../../operation/fields.ts";
import { linkedActions } from "../actions/record.ts";
import { UnblockedTitles, withUnblockedTitles } from "../actions/unblocked.ts";
import { configFaults } from "./config.ts";
import { ListedSentinel, Sentinel, SentinelStatus, SentinelType } from "./record.ts";

export const createSentinel = defineOperation({
  id: "sentinels.create",
  functionId: "sentinel.create",
  summary: "Create a sentinel: watch for something that actions have to wait for",
  description:
    "Webhooks, approvals and custom sentinels are triggered from outside; timers, thresholds and patterns trigger themselves. Pending linked actions are blocked until then.",
  http: { method: "POST", path: "/sentinels", success: 200 },
  cli: {
    command: "sentinel create <name...>",
    flags: { linkedActionIds: "linked-action-id" },
    examples: [
      'memsvc sentinel create "Release approved" --type approval --linked-action-id act_01…',
      'memsvc sentinel create "Too many errors" --type threshold --config \'{"metric": "observations.errors_last_hour", "operator": "gt", "value": 20}\'',
      'memsvc sentinel create "Disk trouble" --type pattern --config \'{"pattern": "no space left|ENOSPC", "field": "any"}\'',
    ],
  },
  mcp: {
    tool: "memory_sentinel_create",
    effects: "write",
    title: "Create a sentinel",
    description:
      "Watch for an outside trigger, a time, a metric or a pattern in what is observed; linked actions wait for it. Use it when work depends on an event rather than a decision.",
    arguments: {
      name: true,
      type: { required: true },
      config: true,
      linkedActionIds: true,
      expiresInMs: true,
    },
  },
  input: z
    .object({
      name: Name.describe("what is watched for"),
      type: SentinelType.default("custom").describe("how it is triggered"),
      config: JsonObject.default(() => ({})).describe(
        "what its type needs. webhook: path; timer: durationMs; threshold: metric, operator (gt, lt, eq), value; pattern: pattern, field (title, narrative, any), project",
      ),
      ...linkedActions,
      expiresInMs: ExpiresInMs.optional().describe("milliseconds after which it stops watching"),
    })
    .superRefine(({ type, config }, context) => {
      for (const { message, path } of configFaults(type, config))
        context.addIssue({ code: "custom", message, path: path.split(".") });
    }),
  output: z.object({
    sentinel: Sentinel.describe("the sentinel as stored"),
    blocked: z.array(z.string()).describe("actions that became blocked by it"),
  }),
  errors: ["invalid_input", "not_found"],
  run: (core, input, caller) => core.sentinels.create(input, caller),
});

const Opened = z.object({
  sentinel: Sentinel.describe("the sentinel, which no longer watches"),
  unblockedCount: z.number().int().describe("actions that became pending by it"),
  unblocked: z.array(z.string()).describe("their ids"),
  unblockedTitles: UnblockedTitles,
});

export const triggerSentinel = defineOperation({
  id: "sentinels.trigger",
  functionId: "sentinel.trigger",
  summary: "Trigger a sentinel: what it watches for has happened",
  http: { method: "POST", path: "/sentinels/trigger", success: 200 },
  cli: {
    command: "sentinel trigger <sentinelId>",
    examples: [
      "memsvc sentinel trigger snl_01…",
      'memsvc sentinel trigger snl_01… --result \'{"by": "ann"}\'',
    ],
  },
  mcp: {
    tool: "memory_sentinel_trigger",
    effects: "write",
    title: "Trigger a sentinel",
    description:
      "Report that what a sentinel watches for has happened, which unblocks the waiting actions. Use it when you learn of it.",
    arguments: {
      sentinelId: true,
      result: { type: JsonObject, description: "what happened, as a JSON object" },
    },
  },
  input: z.object({
    sentinelId: Id.describe("sentinel to trigger"),
    result: Json.optional().describe("what happened, as JSON"),
  }),
  output: Opened,
  errors: ["invalid_input", "not_found", "conflict"],
  run: async (core, input, caller) => {
    const { sentinel, unblocked } = await core.sentinels.trigger(input, caller);
    return withUnblockedTitles(core, { sentinel, unblockedCount: unblocked.length, unblocked });
  },
});

export const checkSentinels = defineOperation({
  id: "sentinels.check",
  functionId: "sentinel.check",
  summary: "Check all sentinels now",
  description: "A sweep does this every 30 seconds.",
  http: { method: "POST", path: "/sentinels/check", success: 200 },
  cli: { command: "sentinel check", examples: ["memsvc sentinel check", "memsvc sentinel check --json"] },
  input: z.object({}),
  output: z.object({
    triggered: z.array(z.string()).describe("sentinels that were triggered"),
    checkedCount: z.number().int().describe("sentinels that were watching"),
  }),
  errors: ["invalid_input"],
  run: (core, _input, caller) => core.sentinels.check(caller),
});

export const cancelSentinel = defineOperation({
  id: "sentinels.cancel",
  functionId: "sentinel.cancel",
  summary: "Cancel a sentinel, which unblocks what waited for it",
  http: { method: "POST", path: "/sentinels/cancel", success: 200 },
  cli: {
    command: "sentinel cancel <sentinelId>",
    examples: ["memsvc sentinel cancel snl_01…", "memsvc sentinel cancel snl_01… --json"],
  },
  input: z.object({ sentinelId: Id.describe("sentinel to cancel, watching or expired") }),
  output: Opened,
  errors: ["invalid_input", "not_found", "conflict"],
  run: async (core, input, caller) => {
    const { sentinel, unblocked } = await core.sentinels.cancel(input, caller);
    return withUnblockedTitles(core, { sentinel, unblockedCount: unblocked.length, unblocked });
  },
});

export const listSentinels = defineOperation({
  id: "sentinels.list",
  summary: "List sentinels, newest first",
  http: { method: "GET", path: "/sentinels", success: 200 },
  cli: {
    command: "sentinel list",
    examples: ["memsvc sentinel list --status watching", "memsvc sentinel list --type pattern --json"],
  },
  input: z.object({
    status: SentinelStatus.optional().describe("only sentinels in this state"),
    type: SentinelType.optional().describe("only sentinels of this kind"),
    limit: limit(100, 1_000).describe("maximum number"),
    offset: Offset.describe("sentinels to skip"),
  }),
  output: z.object({ sentinels: z.array(ListedSentinel).describe("newest first"), ...pageFields }),
  errors: ["invalid_input"],
  run: (core, input) => core.sentinels.list(input),
});

export const sentinelOperations = [
  createSentinel,
  triggerSentinel,
  checkSentinels,
  cancelSentinel,
  listSentinels,
];

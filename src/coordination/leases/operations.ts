import * as z from "zod";
import { defineOperation } from "../../operation/define.ts";
import { clamped, Id } from "../../operation/fields.ts";
import { Action } from "../actions/record.ts";
import { UnblockedTitles, withUnblockedTitles } from "../actions/unblocked.ts";
import { Result } from "../long-texts.ts";
import { Lease, longestLeaseMs } from "./record.ts";

const Ttl = clamped(1_000, longestLeaseMs).prefault(600_000);

const claimFields = {
  actionId: Id.describe("action to work on"),
  agentId: Id.describe("who works on it"),
};

export const acquireLease = defineOperation({
  id: "leases.acquire",
  functionId: "lease.acquire",
  summary: "Take the exclusive right to work on an action",
  description: "The action becomes active. The agent that already holds it gets its lease unchanged.",
  http: { method: "POST", path: "/leases/acquire", success: 200 },
  cli: {
    command: "lease acquire <actionId>",
    examples: [
      "memsvc lease acquire act_01… --agent-id builder",
      "memsvc lease acquire act_01… --agent-id builder --ttl-ms 1800000",
    ],
  },
  mcp: {
    tool: "memory_lease",
    effects: "write",
    title: "Lease an action",
    description:
      "Take, release or renew the exclusive right to work on an action. Use it before you work on an action that others could take too, and when you are done.",
    chosenBy: { argument: "operation", value: "acquire" },
    arguments: { actionId: true, agentId: true, ttlMs: true },
  },
  input: z.object({
    ...claimFields,
    ttlMs: Ttl.describe("how long it lasts, in milliseconds, an hour at most"),
  }),
  output: z.object({
    lease: Lease.describe("the lease"),
    renewed: z.boolean().describe("always false: taking it again does not make it longer"),
    message: z.string().optional().describe("present where it was held by the same agent already"),
  }),
  errors: ["invalid_input", "not_found", "conflict"],
  run: (core, input) => core.leases.acquire(input),
});

export const releaseLease = defineOperation({
  id: "leases.release",
  functionId: "lease.release",
  summary: "Release an action; with a result, it is done",
  description: "With a result, the action is done, and the actions that waited for it are unblocked.",
  http: { method: "POST", path: "/leases/release", success: 200 },
  cli: {
    command: "lease release <actionId>",
    examples: [
      'memsvc lease release act_01… --agent-id builder --result "merged as 3f2a91c"',
      "memsvc lease release act_01… --agent-id builder",
    ],
  },
  mcp: {
    tool: "memory_lease",
    effects: "write",
    chosenBy: { argument: "operation", value: "release" },
    arguments: { actionId: true, agentId: true, result: true },
  },
  input: z.object({
    ...claimFields,
    result: Result.optional().describe(
      "the result; without it, or if it is blank, another agent may continue the action",
    ),
  }),
  output: z.object({
    released: z.literal(true).describe("always true"),
    action: Action.describe("the action afterwards"),
    unblocked: z.array(z.string()).describe("actions that waited only for it"),
    unblockedTitles: UnblockedTitles,
  }),
  errors: ["invalid_input", "not_found", "conflict"],
  run: async (core, input) => withUnblockedTitles(core, await core.leases.release(input)),
});

export const renewLease = defineOperation({
  id: "leases.renew",
  functionId: "lease.renew",
  summary: "Extend the lease on an action",
  description: "The time is added to what is left of the lease, up to one hour from now.",
  http: { method: "POST", path: "/leases/renew", success: 200 },
  cli: {
    command: "lease renew <actionId>",
    examples: [
      "memsvc lease renew act_01… --agent-id builder",
      "memsvc lease renew act_01… --agent-id builder --ttl-ms 1800000",
    ],
  },
  mcp: {
    tool: "memory_lease",
    effects: "write",
    chosenBy: { argument: "operation", value: "renew" },
    arguments: { actionId: true, agentId: true, ttlMs: true },
  },
  input: z.object({
    ...claimFields,
    ttlMs: Ttl.describe("time to add, in milliseconds"),
  }),
  output: z.object({
    lease: Lease.describe("the lease with its new end"),
    renewed: z.literal(true).describe("always true"),
  }),
  errors: ["invalid_input", "not_found", "conflict"],
  run: (core, input) => core.leases.renew(input),
});

export const leaseOperations = [acquireLease, releaseLease, renewLease];

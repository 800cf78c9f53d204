import fc from "fast-check";
import { createCheckpoint, resolveCheckpoint } from "../../src/coordination/checkpoints/operations.ts";
import { removeFacet, tagFacet } from "../../src/coordination/facets/operations.ts";
import { runRoutine, saveRoutine } from "../../src/coordination/routines/operations.ts";
import {
  cancelSentinel,
  checkSentinels,
  createSentinel,
  triggerSentinel,
} from "../../src/coordination/sentinels/operations.ts";
import { readSignals, sendSignal } from "../../src/coordination/signals/operations.ts";
import type { TestHttp } from "./http.ts";

/*
 * Steps of a random history: what agents may do with signals, gates, routines and labels. Ids are picked from those
 * that the history has made so far. A step may also be one that the store refuses.
 */

export interface CoordinationIds {
  /** Ids of actions and memories. */
  readonly targets: readonly string[];
  readonly actions: string[];
  readonly checkpoints: string[];
  readonly sentinels: string[];
  readonly signals: string[];
  readonly routines: string[];
}

const agent = fc.constantFrom("ann", "bob", "memsvc");

/** Steps whose texts come from the given arbitrary. */
export function coordinationStep(text: fc.Arbitrary<string>) {
  return fc.record({
    kind: fc.constant("coordinate" as const),
    what: fc.constantFrom(
      "send",
      "read",
      "checkpoint",
      "resolve",
      "sentinel",
      "trigger",
      "cancel",
      "check",
      "routine",
      "run",
      "tag",
      "untag",
    ),
    pick: fc.nat(),
    agent,
    other: fc.option(agent, { nil: undefined }),
    text,
    value: fc.jsonValue({ maxDepth: 2 }),
    sentinel: fc.constantFrom(
      { type: "custom", config: { a: 1 } },
      { type: "timer", config: { durationMs: 90_000_000 } },
      { type: "threshold", config: { metric: "memories.total", operator: "gt", value: 1 } },
      { type: "pattern", config: { pattern: "queue|x", field: "any" } },
    ),
    expiresInMs: fc.constantFrom(undefined, 60_000, 90_000_000),
    dimension: fc.constantFrom("team", "risk"),
  });
}

export type CoordinationStep =
  ReturnType<typeof coordinationStep> extends fc.Arbitrary<infer One> ? One : never;

export async function coordinate(
  http: TestHttp,
  step: CoordinationStep,
  ids: CoordinationIds,
): Promise<void> {
  const { agent: from, other: to, text, value: result, expiresInMs, dimension } = step;
  const picked = (list: readonly string[]) => list[step.pick % Math.max(1, list.length)] ?? "none";
  const linkedActionIds = ids.actions.length === 0 ? [] : [picked(ids.actions)];
  switch (step.what) {
    case "send": {
      const replyTo = to === "ann" ? picked(ids.signals) : undefined;
      const input = { from, to, content: text, replyTo, metadata: { result }, expiresInMs };
      remember(ids.signals, (await http.reply(sendSignal, input)).body.signal);
      break;
    }
    case "read":
      await http.reply(readSignals, { agentId: from, limit: 2 });
      break;
    case "checkpoint": {
      const type = to === "ann" ? "timer" : "ci";
      const input = { name: text, type, linkedActionIds, expiresInMs };
      remember(ids.checkpoints, (await http.reply(createCheckpoint, input)).body.checkpoint);
      break;
    }
    case "resolve": {
      const status = to === "ann" ? "failed" : "passed";
      await http.reply(resolveCheckpoint, {
        checkpointId: picked(ids.checkpoints),
        status,
        result,
        resolvedBy: to,
      });
      break;
    }
    case "sentinel": {
      const input = { name: text, ...step.sentinel, linkedActionIds, expiresInMs };
      remember(ids.sentinels, (await http.reply(createSentinel, input)).body.sentinel);
      break;
    }
    case "trigger":
      await http.reply(triggerSentinel, { sentinelId: picked(ids.sentinels), result });
      break;
    case "cancel":
      await http.reply(cancelSentinel, { sentinelId: picked(ids.sentinels) });
      break;
    case "check":
      await http.reply(checkSentinels, {});
      break;
    case "routine": {
      const steps = [
        { title: text, actionTemplate: { metadata: { result } } },
        { title: "then", dependsOn: [1] },
      ];
      const routineId = to === "bob" ? picked(ids.routines) : undefined;
      const input = { name: text, steps, frozen: to === "ann", routineId };
      remember(ids.routines, (await http.reply(saveRoutine, input)).body.routine);
      break;
    }
    case "run": {
      const { body } = await http.reply(runRoutine, { routineId: picked(ids.routines), initiatedBy: to });
      for (const action of (body.actions ?? []) as unknown[]) remember(ids.actions, action);
      break;
    }
    case "tag":
      await http.reply(tagFacet, { targetId: picked(ids.targets), dimension, value: from });
      break;
    case "untag":
      await http.reply(removeFacet, { targetId: picked(ids.targets), dimension });
  }
}

function remember(ids: string[], record: unknown): void {
  const id = (record as { readonly id?: string } | undefined)?.id;
  if (id !== undefined && !ids.includes(id)) ids.push(id);
}

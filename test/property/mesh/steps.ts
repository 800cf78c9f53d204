import fc from "fast-check";
import { addActionEdge, createAction, updateAction } from "../../../src/coordination/actions/operations.ts";
import { forgetProject } from "../../../src/governance/deletion/operations.ts";
import { evolve, forget, remember } from "../../../src/knowledge/memories/operations.ts";
import { relate } from "../../../src/knowledge/memories/relations/operations.ts";
import { exportRows, receiveRows } from "../../../src/sharing/mesh/operations.ts";
import type { TestHttp } from "../../support/http.ts";
import type { StepOf } from "../doing.ts";
import { pick } from "../given.ts";

/* Steps in two stores that exchange their rows now and then. */

const at = fc.constantFrom(0 as const, 1 as const);
const words = fc.constantFrom(
  "queue drains before shutdown",
  "queue drains after shutdown",
  "till is counted",
);

const kinds = {
  remember: fc.record({ kind: fc.constant("remember" as const), at, words }),
  evolve: fc.record({ kind: fc.constant("evolve" as const), at, pick, words }),
  forget: fc.record({ kind: fc.constant("forget" as const), at, pick, restorePrevious: fc.boolean() }),
  forgetProject: fc.record({ kind: fc.constant("forget project" as const), at }),
  relate: fc.record({ kind: fc.constant("relate" as const), at, from: pick, to: pick }),
  create: fc.record({ kind: fc.constant("create" as const), at }),
  update: fc.record({
    kind: fc.constant("update" as const),
    at,
    pick,
    status: fc.constantFrom("pending" as const, "done" as const, "blocked" as const, "cancelled" as const),
  }),
  edge: fc.record({
    kind: fc.constant("edge" as const),
    at,
    from: pick,
    to: pick,
    type: fc.constantFrom("requires" as const, "unlocks" as const),
  }),
  exchange: fc.record({
    kind: fc.constant("exchange" as const),
    to: at,
    isNewOnly: fc.boolean(),
    isTwice: fc.boolean(),
  }),
  bothAtOnce: fc.record({ kind: fc.constant("both at once" as const), pick, words }),
};

export type Step = StepOf<typeof kinds>;

export const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: kinds.remember as fc.Arbitrary<Step> },
  { weight: 3, arbitrary: kinds.evolve },
  { weight: 3, arbitrary: kinds.forget },
  { weight: 1, arbitrary: kinds.forgetProject },
  { weight: 2, arbitrary: kinds.relate },
  { weight: 3, arbitrary: kinds.create },
  { weight: 3, arbitrary: kinds.update },
  { weight: 2, arbitrary: kinds.edge },
  { weight: 4, arbitrary: kinds.exchange },
  { weight: 2, arbitrary: kinds.bothAtOnce },
);

export interface Pair {
  readonly stores: readonly [TestHttp, TestHttp];
  /** For each store, the time of its last exchange: it has what the other store had by then. */
  readonly since: [string | undefined, string | undefined];
  readonly memories: string[];
  readonly actions: string[];
}

/**
 * Carries out a step. One that is refused, such as evolving a memory that is not the latest version, changes nothing.
 */
export async function carryOut(pair: Pair, step: Step): Promise<void> {
  const { stores, memories, actions } = pair;
  for (const store of stores) store.advance(1_000);
  const project = "shop";
  switch (step.kind) {
    case "remember": {
      const { memoryId } = await stores[step.at].ok(remember, { content: step.words, project });
      memories.push(memoryId);
      return;
    }
    case "evolve":
      return evolved(pair, step.at, step.pick, step.words);
    case "both at once":
      await evolved(pair, 0, step.pick, step.words);
      return evolved(pair, 1, step.pick, step.words);
    case "forget": {
      const memoryId = one(memories, step.pick);
      if (memoryId === undefined) return;
      await expectKnown(stores[step.at].reply(forget, { memoryId, restorePrevious: step.restorePrevious }));
      return;
    }
    case "forget project":
      await expectKnown(stores[step.at].reply(forgetProject, { project }));
      return;
    case "relate": {
      const [sourceId, targetId] = [one(memories, step.from), one(memories, step.to)];
      await expectKnown(stores[step.at].reply(relate, { sourceId, targetId, type: "related" }));
      return;
    }
    case "create": {
      const { action } = await stores[step.at].ok(createAction, { title: "count", project });
      actions.push(action.id);
      return;
    }
    case "update": {
      const actionId = one(actions, step.pick);
      await expectKnown(stores[step.at].reply(updateAction, { actionId, status: step.status }));
      return;
    }
    case "edge": {
      const [sourceActionId, targetActionId] = [one(actions, step.from), one(actions, step.to)];
      const edge = { type: step.type, sourceActionId, targetActionId };
      await expectKnown(stores[step.at].reply(addActionEdge, edge));
      return;
    }
    case "exchange":
      await exchange(pair, step.to, step.isNewOnly);
      if (step.isTwice) await exchange(pair, step.to, false);
  }
}

async function evolved({ stores, memories }: Pair, at: 0 | 1, pick: number, words: string): Promise<void> {
  const memoryId = one(memories, pick);
  if (memoryId === undefined) return;
  const { status, body } = await expectKnown(stores[at].reply(evolve, { memoryId, newContent: words }));
  if (status === 200) memories.push(String(body.memoryId));
}

/** Gives a store the other's rows, all or those since the last exchange; returns how many rows it took. */
export async function exchange({ stores, since }: Pair, to: 0 | 1, isNewOnly: boolean): Promise<number> {
  const from = stores[to === 0 ? 1 : 0];
  const last = since[to];
  const rows = await from.ok(exportRows, isNewOnly && last !== undefined ? { since: last } : {});
  const { accepted, rejected, issues } = await stores[to].ok(receiveRows, rows as never);
  if (rejected > 0) throw new Error(`rows were refused: ${JSON.stringify(issues)}`);
  since[to] = rows.exportedAt;
  return accepted;
}

function one(ids: readonly string[], pick: number): string | undefined {
  return ids[pick % Math.max(1, ids.length)];
}

async function expectKnown(asked: ReturnType<TestHttp["reply"]>): ReturnType<TestHttp["reply"]> {
  const reply = await asked;
  if (reply.status >= 500) throw new Error(reply.text);
  return reply;
}

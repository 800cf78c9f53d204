import fc from "fast-check";
import { expect } from "vitest";
import { diagnose } from "../../../src/governance/diagnostics/operations.ts";
import { exportRows } from "../../../src/sharing/mesh/operations.ts";
import { openTestHttp, type TestHttp } from "../../support/http.ts";
import { testOfHistories } from "../many.ts";
import { carryOut, exchange, type Pair, type Step, step } from "./steps.ts";

const history = fc.array(step, { minLength: 5, maxLength: 30, size: "max" });
const env = { MEMSVC_SECRET: "a-secret-of-the-mesh" };
/** What is settled after rows came in is itself a change, which the other has to hear of. */
const mostRounds = 3;

async function live(steps: readonly Step[]): Promise<void> {
  const open = () => openTestHttp({ env, authorized: true });
  const stores = [await open(), await open()] as const;
  const pair: Pair = { stores, since: [undefined, undefined], memories: [], actions: [] };
  try {
    for (const one of steps) await carryOut(pair, one);
    let rounds = 0;
    for (let moved = 1; moved > 0; rounds += 1) {
      expect(rounds, "exchanges until there is nothing to exchange").toBeLessThanOrEqual(mostRounds);
      for (const store of stores) store.advance(1_000);
      moved = (await exchange(pair, 0, true)) + (await exchange(pair, 1, true));
    }
    expect(await exchange(pair, 0, false)).toBe(0);
    expect(await exchange(pair, 1, false)).toBe(0);
    expect(await standing(stores[0])).toEqual(await standing(stores[1]));
    for (const store of stores) {
      const { checks } = await store.ok(diagnose, {});
      expect(checks.filter(({ status }) => status === "fail")).toEqual([]);
    }
  } finally {
    for (const store of stores) await store.close();
  }
}

/** The rows that are exchanged, but for how they came here. */
async function standing(http: TestHttp) {
  const { memories = [], relations = [], actions = [], actionEdges = [] } = await http.ok(exportRows, {});
  const sorted = (rows: readonly string[]) => [...rows].sort();
  return {
    memories: sorted(memories.map((row) => `${row.id} ${row.version} ${row.isLatest} ${row.content}`)),
    relations: sorted(relations.map((row) => `${row.type} ${row.sourceId} ${row.targetId}`)),
    actions: sorted(actions.map((row) => `${row.id} ${row.status} ${row.blockReason}`)),
    actionEdges: sorted(actionEdges.map((row) => `${row.type} ${row.sourceActionId} ${row.targetActionId}`)),
  };
}

testOfHistories("two stores hold the same rows after they sync, whatever happened in each", history, live, 2);

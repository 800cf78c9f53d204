import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openTestCore, type TestCore } from "../../../../test/support/core.ts";
import { observe } from "../../../capture/observations/operations.ts";
import { migrate } from "../../../governance/migration/operations.ts";
import { exportStore, importStore } from "../../../governance/transfer/operations.ts";
import { contentSimilarity } from "../../../text/similarity.ts";
import { evolve, forget, remember } from "../operations.ts";
import { latestTextsOf } from "./latest-texts.ts";
import { similarAbove, supersedeAbove } from "./near-duplicates.ts";

const opened: TestCore[] = [];
let store: TestCore;
beforeEach(async () => {
  store = await openStore();
});
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

async function openStore(): Promise<TestCore> {
  const one = await openTestCore();
  opened.push(one);
  return one;
}

/** Ten words, of which `shared` are common to all such texts. */
function tenWords(own: string, shared: number): string {
  return Array.from({ length: 10 }, (_, at) => (at < shared ? `shared${at}` : `${own}own${at}`)).join(" ");
}

function keep(content: string, more: { readonly project?: string; readonly ttlDays?: number } = {}) {
  return store.call(remember, { content, ...more });
}

function textsOf({ core }: TestCore) {
  return latestTextsOf(core.ground.store);
}

/** Adds memories that resemble nothing until the texts of the scope are in memory. */
async function untilHeld(scope: { readonly project?: string } = {}): Promise<void> {
  const texts = textsOf(store);
  const key = { projectKey: scope.project ?? null, agentId: null };
  for (let at = 0; !texts.holds(key); at += 1) {
    expect(at).toBeLessThan(3);
    await keep(`${at} ${tenWords(`lonely${at}x`, 0)}`, scope);
  }
}

function latestOf({ core }: TestCore, project: string): Promise<{ id: string; content: string }[]> {
  return core.ground.store.read.sql.all(
    "SELECT id, content FROM memories WHERE is_latest = 1 AND project_key = ? ORDER BY id DESC",
    [project],
  );
}

/** The most similar of the latest memories, the newest of equals. */
async function closestByComparing(project: string, content: string) {
  const all = await latestOf(store, project);
  return all
    .map(({ id, content: other }) => ({ id, similarity: contentSimilarity(content, other) }))
    .reduce((best, one) => (one.similarity > best.similarity ? one : best), { id: "", similarity: 0 });
}

const vocabulary = fc.oneof(
  fc.integer({ min: 0, max: 30 }).map((number) => `zog${number}mip`),
  fc.constantFrom(
    "zog1mip_zog2mip",
    "zog1mip_zog3mip",
    "zog2Mip3Zog",
    "zog/zog1mip.ts",
    "it",
    "11",
    "___",
    "日本語",
  ),
);
const content = fc.uniqueArray(vocabulary, { minLength: 1, maxLength: 14 }).map((words) => words.join(" "));
const step = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant("remember" as const), content }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("evolve" as const), content }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("forget" as const) }) },
);

describe("texts held in memory", () => {
  test("find the same memories as comparing with each one and as the full-text index", async () => {
    const searched = await openStore();
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
        const project = `project-${runs++}`;
        let last: { readonly held: string; readonly searched: string } | undefined;
        for (const one of steps) {
          if (one.kind === "remember") {
            const closest = await closestByComparing(project, one.content);
            const held = await keep(one.content, { project });
            expect(held.superseded).toBe(closest.similarity > supersedeAbove ? closest.id : undefined);
            const isAlike = held.superseded === undefined && closest.similarity > similarAbove;
            expect(held.similarTo?.id).toBe(isAlike ? closest.id : undefined);
            textsOf(searched).clear();
            const other = await searched.call(remember, { content: one.content, project });
            expect(other.version).toBe(held.version);
            expect(other.similarTo?.similarity).toBe(held.similarTo?.similarity);
            last = { held: held.memoryId, searched: other.memoryId };
          } else if (last !== undefined && one.kind === "evolve") {
            const newContent = one.content;
            last = {
              held: (await store.call(evolve, { memoryId: last.held, newContent })).memoryId,
              searched: (await searched.call(evolve, { memoryId: last.searched, newContent })).memoryId,
            };
          } else if (last !== undefined) {
            await store.call(forget, { memoryId: last.held, restorePrevious: true });
            await searched.call(forget, { memoryId: last.searched, restorePrevious: true });
            last = undefined;
          }
        }
        const contents = async (of: TestCore) =>
          (await latestOf(of, project)).map((row) => row.content).sort();
        expect(await contents(store)).toEqual(await contents(searched));
      }),
      { numRuns: 30 },
    );
  });

  test("are loaded when a scope is asked about a second time, separately for each scope", async () => {
    await keep("one");
    expect(textsOf(store).holds({ projectKey: null, agentId: null })).toBe(false);
    await keep("two");
    expect(textsOf(store).holds({ projectKey: null, agentId: null })).toBe(true);
    await untilHeld({ project: "shop" });
    const first = await keep(tenWords("a", 9), { project: "shop" });
    expect((await keep(tenWords("b", 9))).version).toBe(1);
    expect((await keep(tenWords("c", 9), { project: "shop" })).superseded).toBe(first.memoryId);
  });

  test("include memories of the same commit", async () => {
    await untilHeld();
    const replies = await Promise.all(["a", "b", "c", "d"].map((name) => keep(tenWords(name, 9))));
    expect(replies.map(({ version }) => version)).toEqual([1, 2, 3, 4]);
  });

  test("contain nothing that a rolled-back transaction added or superseded", async () => {
    await untilHeld();
    const kept = await keep(tenWords("kept", 9));
    const { ground } = store.core;
    const failing = ground.store.write(async (tx) => {
      await tx.sql.run("UPDATE memories SET is_latest = 0 WHERE id = ?", [kept.memoryId]);
      throw new Error("taken back");
    });
    const outcomes = await Promise.allSettled([
      failing,
      keep(tenWords("lost", 0)),
      keep(tenWords("next", 9)),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "fulfilled"]);
    const [, , next] = outcomes;
    expect(next).toMatchObject({ value: { superseded: kept.memoryId } });
    // The group was run twice: no memory of its first run may be found.
    expect((await keep(tenWords("lost", 0))).version).toBe(2);
  });

  test("are not used after another process has written, until they are read again", async () => {
    await untilHeld();
    const { memoryId } = await keep(tenWords("mine", 9));
    const other = await openTestCore({ home: store.home });
    await other.call(evolve, { memoryId, newContent: tenWords("theirs", 3) });
    await other.close();
    expect((await keep(tenWords("again", 3))).version).toBe(1);
    expect((await keep(tenWords("theirs", 3))).version).toBe(3);
  });

  test("include imported memories", async () => {
    await untilHeld();
    const { memoryId } = await keep(tenWords("mine", 0));
    const exported = JSON.parse(JSON.stringify(await store.call(exportStore, {})));
    expect(exported.memories).toContainEqual(expect.objectContaining({ id: memoryId }));
    for (const memory of exported.memories) {
      if (memory.id !== memoryId) continue;
      memory.content = tenWords("theirs", 0);
      memory.updatedAt = "2026-03-02T00:00:00.000Z";
    }
    await store.call(importStore, { exportData: exported });
    expect((await keep(tenWords("mine", 0))).version).toBe(1);
    expect((await keep(tenWords("theirs", 0))).superseded).toBe(memoryId);
  });

  test("include a version that has become the latest again", async () => {
    const first = await keep(tenWords("a", 9));
    const second = await store.call(evolve, {
      memoryId: first.memoryId,
      newContent: tenWords("b", 9),
    });
    await untilHeld();
    await store.call(forget, { memoryId: second.memoryId, restorePrevious: true });
    expect((await keep(tenWords("c", 9))).superseded).toBe(first.memoryId);
  });

  test("find the latest version behind eleven earlier ones that are more similar", async () => {
    await untilHeld();
    const words = tenWords("a", 9).split(" ");
    let { memoryId } = await keep(words.join(" "));
    for (let at = 1; at < 12; at += 1) {
      const newContent = [...words.slice(at), ...words.slice(0, at)].join(" ");
      ({ memoryId } = await store.call(evolve, { memoryId, newContent }));
    }
    ({ memoryId } = await store.call(evolve, { memoryId, newContent: tenWords("b", 9) }));
    expect((await keep(words.join(" "))).superseded).toBe(memoryId);
  });

  test("include memories whose project was inferred", async () => {
    const event = { sessionId: "s1", project: "shop", cwd: "/w/shop", timestamp: "2026-03-01" };
    const { observationId } = await store.call(observe, {
      ...event,
      hookType: "prompt_submit",
      data: { prompt: "hello" },
    });
    const sourceObservationIds = [observationId];
    const { memoryId } = await store.call(remember, { content: tenWords("a", 9), sourceObservationIds });
    await untilHeld({ project: "/w/shop" });
    await store.call(migrate, { step: "infer-memory-projects" });
    expect((await keep(tenWords("b", 9), { project: "/w/shop" })).superseded).toBe(memoryId);
  });

  test("omit expired memories", async () => {
    await untilHeld();
    await keep(tenWords("brief", 9), { ttlDays: 1 });
    store.advance(2 * 86_400_000);
    expect((await keep(tenWords("later", 9))).version).toBe(1);
  });
});

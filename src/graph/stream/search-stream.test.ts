import { describe, expect, test } from "vitest";
import { openTestCore } from "../../../test/support/core.ts";
import { forEachTest } from "../../../test/support/for-each-test.ts";
import { readSketches } from "../../index/hits.ts";
import type { SearchScope } from "../../index/scope.ts";
import { seededRandom } from "../../index/vectors/vector-fixture.ts";
import { forget, remember } from "../../knowledge/memories/operations.ts";
import type { EdgeDraft } from "../storage/draft.ts";
import { putLayer } from "../storage/put-layer.ts";
import { type ReachedNode, walkBestFirst } from "./best-first.ts";
import { phrasesOf } from "./phrases.ts";
import { startNodes } from "./start-nodes.ts";

const store = forEachTest(openTestCore);

async function keep(content: string, concepts: string[], more: { project?: string; agentId?: string } = {}) {
  store.advance(1_000);
  return (await store.call(remember, { content, concepts, ...more })).memoryId;
}

async function found(query: string, scope: SearchScope = { now: store.now() }) {
  return (await store.core.streams.graph({ query, scope, limit: 10 })).map(({ ref }) => ref);
}

test("finds memories through connected nodes, nearest first", async () => {
  const near = await keep("Alpha text about one thing", ["billing", "invoice"]);
  const far = await keep("Beta words for another matter", ["invoice", "dunning"]);
  const farther = await keep("Gamma sentences beyond all that", ["dunning", "letters"]);
  const unreached = await keep("Delta lines too far away", ["letters", "stamps"]);
  expect(await found("what about billing")).toEqual([near, far, farther]);
  expect(await found("stamps")).not.toContain(near);
  expect(await found("stamps")).toContain(unreached);
  expect(await found("nothing of the kind")).toEqual([]);
});

test("a hit names its index row, which has the fields to show", async () => {
  const id = await keep("Invoices are numbered per year", ["billing"], { project: "shop" });
  const question = { query: "billing", scope: { now: store.now() }, limit: 10 };
  const [hit] = await store.core.streams.graph(question);
  expect(hit).toMatchObject({ kind: "memory", ref: id, sessionId: null });
  const sketches = await readSketches(store.core.ground.store.read.sql, [hit?.id ?? 0]);
  expect(sketches.get(hit?.id ?? 0)).toMatchObject({
    title: "Invoices are numbered per year",
    snippet: "Invoices are numbered per year",
    project: "shop",
    files: [],
  });
});

describe("the scope of a graph search", () => {
  test("limits the hits to projects, agents, kinds and times", async () => {
    const shop = await keep("Alpha text about one thing", ["billing"], { project: "shop", agentId: "ann" });
    const blog = await keep("Beta words for another matter", ["billing"], {
      project: "blog",
      agentId: "bob",
    });
    const middle = store.now();
    const none = await keep("Gamma sentences beyond all that", ["billing"]);
    const now = store.now();
    expect((await found("billing")).sort()).toEqual([shop, blog, none].sort());
    expect(await found("billing", { now, projectKeys: ["shop"] })).toEqual([shop]);
    expect(
      (await found("billing", { now, projectKeys: ["blog"], includeWithoutProject: true })).sort(),
    ).toEqual([blog, none].sort());
    expect(await found("billing", { now, agent: { agentId: "ann", includeOrphans: false } })).toEqual([shop]);
    expect((await found("billing", { now, agent: { agentId: "ann", includeOrphans: true } })).sort()).toEqual(
      [shop, none].sort(),
    );
    expect(await found("billing", { now, kinds: ["observation"] })).toEqual([]);
    expect(await found("billing", { now, since: middle + 1 })).toEqual([none]);
  });

  test("is respected even if many names outside of it begin like the query", async () => {
    const letters = [..."abcdefghijklmnopqrstuvwxyz"];
    for (const letter of letters.slice(0, 12))
      await keep(`Bob unit ${letter}${letter}`, [`lantern${letter}xx`], { project: "blog", agentId: "bob" });
    const id = await keep("Ann keeps settings", ["lanternzeta"], { project: "blog", agentId: "ann" });
    const now = store.now();
    const agent = { agentId: "ann", includeOrphans: false };
    expect(await found("lantern", { now, agent })).toEqual([id]);
    expect(await found("lantern", { now, agent, projectKeys: ["blog"] })).toEqual([id]);

    const alpha = await keep("Alpha keeps its settings in one place", ["configzeta"], { project: "alpha" });
    const names = Array.from({ length: 210 }, (_, at) => `configaa${String(at).padStart(3, "0")}`);
    await put(names, "concept", [], "beta");
    expect(await found("config", { now: store.now(), projectKeys: ["alpha"] })).toEqual([alpha]);
  });

  test("never includes forgotten memories", async () => {
    const id = await keep("Alpha text about one thing", ["billing"]);
    await store.call(forget, { memoryId: id });
    expect(await found("billing")).toEqual([]);
  });
});

function put(
  names: readonly string[],
  type: "concept" | "project" = "concept",
  edges: readonly EdgeDraft[] = [],
  project: string | null = null,
) {
  return store.core.ground.store.write((tx) =>
    putLayer(tx.sql, store.core.ground, {
      origin: "llm",
      project,
      projectKey: project,
      nodes: names.map((name) => ({ type, name })),
      edges,
      sources: [],
      fresh: false,
    }),
  );
}

test("the walk returns the nearest nodes in order, and the start nodes before it reads an edge", async () => {
  const random = seededRandom(7);
  const count = 300;
  const at = () => Math.floor(random() * count);
  const edges = Array.from({ length: 380 }, () => ({
    source: at(),
    target: at(),
    weight: random() < 0.3 ? 1 : 0.4,
  }))
    .filter(({ source, target }) => source !== target)
    .map((edge): EdgeDraft => ({ ...edge, type: "uses" }));
  await put(
    Array.from({ length: count }, (_, node) => `node${node}`),
    "concept",
    edges,
  );
  const { sql } = store.core.ground.store.read;
  const rows = await sql.all<{ key: number; name: string }>("SELECT key, name FROM graph_nodes");
  const keys = new Map(rows.map(({ key, name }) => [Number(name.slice(4)), key]));
  const starts = [1, 1, 0.7, 0.7, 0.5].map((score, node) => ({ key: keys.get(node) ?? 0, score }));

  const best = new Map(starts.map(({ key, score }) => [key, score]));
  for (let step = 0; step < 2; step += 1) {
    for (const [from, score] of [...best]) {
      for (const { source, target, weight = 0 } of edges) {
        const ends = [keys.get(source) ?? 0, keys.get(target) ?? 0];
        const other = ends[0] === from ? ends[1] : ends[1] === from ? ends[0] : undefined;
        if (other !== undefined) best.set(other, Math.max(best.get(other) ?? 0, (score * weight) / 2));
      }
    }
  }
  const nearest = [...best]
    .map(([key, score]): ReachedNode => ({ key, score }))
    .sort((a, b) => b.score - a.score || a.key - b.key)
    .slice(0, 64);

  const asked: string[] = [];
  const walk = walkBestFirst(
    {
      ...sql,
      all: (text, args) => {
        asked.push(text);
        return sql.all(text, args);
      },
    },
    starts,
  );
  const told: ReachedNode[] = (await walk.next()).value ?? [];
  expect(told).toEqual(nearest.slice(0, 4));
  expect(asked).toEqual([]);
  for await (const nodes of walk) told.push(...nodes);
  expect(told).toEqual(nearest);
  expect(asked).not.toEqual([]);
});

test("the walk does not go on from a node with more than 500 edges, which almost everything is near", async () => {
  const leaves = Array.from({ length: 500 }, (_, at) => `leaf${at}`);
  const edge = (source: number, target: number): EdgeDraft => ({ source, target, weight: 1, type: "uses" });
  const spokes = leaves.map((_, at) => edge(1, at + 2));
  await put(["start", "hub", ...leaves], "concept", [edge(0, 1), ...spokes.slice(1)]);
  const { sql } = store.core.ground.store.read;
  const [[key] = []] = await sql.values("SELECT key FROM graph_nodes WHERE name = 'start'");
  const reached = async () => {
    const nodes: ReachedNode[] = [];
    for await (const chunk of walkBestFirst(sql, [{ key: Number(key), score: 1 }])) nodes.push(...chunk);
    return nodes.length;
  };
  expect(await reached()).toBeGreaterThan(2);
  await put(["hub", "leaf0"], "concept", [edge(0, 1)]);
  expect(await reached()).toBe(2);
});

test("a document scores its best node, and a tenth of its others", async () => {
  const one = await keep("Alpha text about one thing", ["billing"]);
  const both = await keep("Beta words for another matter", ["billing", "invoice"]);
  const hits = await store.core.streams.graph({ query: "billing", scope: { now: store.now() }, limit: 10 });
  // The nodes are connected with a weight of 0.3, and each step halves the score.
  expect(hits.map(({ ref, score }) => [ref, Math.round(score * 1_000)])).toEqual([
    [both, 1_015],
    [one, 1_000],
  ]);
});

describe("start nodes", () => {
  const starts = async (query: string) => {
    const { sql } = store.core.ground.store.read;
    const nodes = await startNodes(sql, { query, scope: { now: store.now() } });
    const rows = await sql.all<{ key: number; name: string }>("SELECT key, name FROM graph_nodes");
    const names = new Map(rows.map(({ key, name }) => [key, name]));
    return nodes.map(({ key, score }) => [names.get(key), score]);
  };

  test("are equal names, then names that contain the words, then names that begin with them", async () => {
    await put(["cache", "cache key", "the-cache", "cached", "cachet", "other"]);
    expect(await starts("Why is the Cache cold?")).toEqual([
      ["cache", 1],
      ["cache key", 0.7],
      ["the-cache", 0.7],
      ["cached", 0.5],
      ["cachet", 0.5],
    ]);
  });

  test("are found by quoted strings and by pairs of adjacent tokens", async () => {
    await put(["rate limit", "rate of exchange"]);
    expect((await starts("the rate limit"))[0]).toEqual(["rate limit", 1]);
    expect((await starts('"rate of exchange" is odd'))[0]).toEqual(["rate of exchange", 1]);
  });

  test("are at most ten and never projects", async () => {
    await put(["cache"], "project");
    expect(await starts("cache")).toEqual([]);
    await put(Array.from({ length: 30 }, (_, at) => `cache part${at}`));
    expect(await starts("cache")).toHaveLength(10);
  });

  test("with equal scores are ordered by how much of the query they match", async () => {
    const parts = Array.from({ length: 12 }, (_, at) => `part${at}`);
    await put([...parts, "part11 part10", "part10 and more"]);
    expect(await starts(parts.join(" "))).toHaveLength(10);
    expect((await starts([...parts].reverse().join(" ")))[0]).toEqual(["part11 part10", 1]);
  });
});

test("phrases omit stop words and single letters, and are limited in a long text", () => {
  expect(phrasesOf("why is it a b").phrases).toEqual([]);
  expect(phrasesOf("résumé?".normalize("NFD")).phrases).toEqual(["résumé"]);
  expect(phrasesOf("(हिन्दी)").phrases).toEqual(["हिन्दी"]);
  expect(phrasesOf("word ".repeat(10_000)).phrases).toEqual(["word"]);
  expect(phrasesOf(Array.from({ length: 500 }, (_, at) => `w${at}`).join(" ")).phrases.length).toBeLessThan(
    40,
  );
});

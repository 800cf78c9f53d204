import * as fc from "fast-check";
import { afterEach, expect, test } from "vitest";
import { openTestCore, type TestCore } from "../../../test/support/core.ts";
import type { EdgeDraft, NodeDraft } from "./draft.ts";
import { putLayer } from "./put-layer.ts";
import { sourceKeys } from "./sources.ts";

const opened: TestCore[] = [];
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
});

interface Layer {
  readonly nodes: readonly NodeDraft[];
  readonly edges: readonly EdgeDraft[];
}

async function graphOf(layers: readonly Layer[]): Promise<TestCore> {
  const store = await openTestCore();
  opened.push(store);
  const { ground } = store.core;
  for (const { nodes, edges } of layers) {
    await ground.store.write((tx) =>
      putLayer(tx.sql, ground, {
        origin: "llm",
        project: null,
        projectKey: null,
        nodes,
        edges,
        sources: [],
        fresh: false,
      }),
    );
  }
  return store;
}

/** Nodes as sets of their names, with the edges between them: independent of the order in which they were put in. */
async function shapeOf({ core }: TestCore) {
  const { sql } = core.ground.store.read;
  const rows = await sql.all<{ key: number; type: string; name: string; aliases: string; degree: number }>(
    "SELECT key, type, name, aliases, degree FROM graph_nodes",
  );
  const things = new Map(
    rows.map(({ key, type, name, aliases }) => {
      const names = [name, ...(JSON.parse(aliases) as string[])].map((each) => each.toLowerCase());
      return [key, `${type}: ${[...new Set(names)].sort().join(" = ")}`];
    }),
  );
  const edges = await sql.all<{ source: number; target: number; type: string; weight: number }>(
    "SELECT source, target, type, given_weight AS weight FROM graph_edges",
  );
  return {
    things: rows.map(({ key, degree }) => `${things.get(key)} (${degree})`).sort(),
    edges: edges
      .map(({ source, target, type, weight }) => {
        const ends = [things.get(source), things.get(target)];
        return `${(type === "related_to" ? ends.sort() : ends).join(" → ")} ${type} ${weight}`;
      })
      .sort(),
  };
}

const name = fc.constantFrom("k8s", "K8S", "kubernetes", "Kube", "helm", "chart", "docker", "oci");
const node = fc.record({
  type: fc.constantFrom("concept" as const, "library" as const),
  name,
  aliases: fc.array(name, { maxLength: 2 }),
});
const layer = fc.array(node, { minLength: 1, maxLength: 4 }).chain((nodes) =>
  fc.record({
    nodes: fc.constant(nodes),
    edges: fc.array(
      fc.record({
        source: fc.nat(nodes.length - 1),
        target: fc.nat(nodes.length - 1),
        type: fc.constantFrom("related_to" as const, "uses" as const),
        weight: fc.constantFrom(0.2, 0.5, 0.9),
      }),
      { maxLength: 4 },
    ),
  }),
);

test("the order of layers does not change nodes, names and edges", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(layer, { minLength: 1, maxLength: 4 }),
      fc.infiniteStream(fc.nat()),
      async (layers, picks) => {
        const rest = [...layers];
        const shuffled = layers.map(() => rest.splice((picks.next().value ?? 0) % rest.length, 1)[0]);
        const inOrder = await shapeOf(await graphOf(layers));
        const otherwise = await shapeOf(await graphOf(shuffled.filter((each) => each !== undefined)));
        expect(otherwise).toEqual(inOrder);
      },
    ),
    { numRuns: 40 },
  );
});

test("putting the same layers again changes nothing", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(layer, { minLength: 1, maxLength: 3 }), async (layers) => {
      const once = await shapeOf(await graphOf(layers));
      expect(await shapeOf(await graphOf([...layers, ...layers]))).toEqual(once);
    }),
    { numRuns: 20 },
  );
});

test("merging two nodes keeps all counts correct", async () => {
  const concept = (given: string, ...aliases: string[]) => ({
    type: "concept" as const,
    name: given,
    aliases,
  });
  const uses = { source: 0, target: 1, type: "uses" as const, weight: 0.5 };
  const store = await graphOf([
    { nodes: [concept("kubernetes"), concept("helm")], edges: [uses] },
    {
      nodes: [concept("k8s"), concept("helm"), concept("pods")],
      edges: [
        { ...uses, weight: 0.9 },
        { ...uses, target: 2 },
      ],
    },
    { nodes: [concept("k8s"), concept("kubernetes")], edges: [uses] },
    { nodes: [concept("kubernetes", "k8s")], edges: [] },
  ]);
  const { sql } = store.core.ground.store.read;
  expect(await shapeOf(store)).toEqual({
    things: ["concept: helm (1)", "concept: k8s = kubernetes (2)", "concept: pods (1)"],
    edges: [
      "concept: k8s = kubernetes → concept: helm uses 0.9",
      "concept: k8s = kubernetes → concept: pods uses 0.5",
    ],
  });
  const kept = "SELECT what, sum(n) FROM graph_counts GROUP BY what ORDER BY what DESC";
  expect(await sql.values(kept)).toEqual([
    ["node", 3],
    ["edge", 2],
  ]);
});

test("an older source does not set back the time of a later change", async () => {
  const store = await openTestCore();
  opened.push(store);
  const { ground } = store.core;
  const put = (ref: string, at: number) =>
    ground.store.write(async (tx) => {
      const [source] = await sourceKeys(tx.sql, [{ kind: "memory", ref, agentId: null }], "structural");
      const layer = {
        project: null,
        projectKey: null,
        nodes: [{ type: "concept", name: "queue" }],
        edges: [],
      } as const;
      const sources = [source?.key ?? 0];
      await putLayer(
        tx.sql,
        { ...ground, now: () => at },
        { ...layer, origin: "structural", sources, fresh: true },
      );
    });
  await put("mem_2", 2_000);
  await put("mem_1", 1_000);
  const { sql } = ground.store.read;
  expect(await sql.values("SELECT updated_at, source_count FROM graph_nodes")).toEqual([[2_000, 2]]);
});

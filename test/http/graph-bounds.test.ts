import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { exportStore, importStore } from "../../src/governance/transfer/operations.ts";
import { importGraph } from "../../src/graph/imported/operations.ts";
import { buildGraph } from "../../src/graph/model/operations.ts";
import { queryGraph, rebuildSnapshot } from "../../src/graph/operations.ts";
import { remember } from "../../src/knowledge/memories/operations.ts";
import {
  closeGraphPlace,
  entity,
  found,
  type GraphPlace,
  graphSteps,
  openGraphPlace,
} from "../support/graph-layers.ts";
import type { TestHttp } from "../support/http.ts";

let place: GraphPlace;
let http: TestHttp;
const { inTime, prompt } = graphSteps(() => http);
beforeEach(async () => {
  place = await openGraphPlace();
  http = place.http;
});
afterEach(() => closeGraphPlace(place));

const numbered = (count: number, from = 0) =>
  Array.from({ length: count }, (_, at) => ({ id: `n${from + at}` }));

/** This many different links among the first nodes. */
const linked = (count: number, among: number) =>
  Array.from({ length: count }, (_, at) => {
    const source = at % among;
    return { source: `n${source}`, target: `n${(source + 1 + Math.floor(at / among)) % among}` };
  });

function fileWith(content: unknown): string {
  const path = join(place.folder, "graph.json");
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}

const importOf = (content: unknown) =>
  inTime(importGraph, { path: fileWith(content), cwd: place.folder, project: "shop" });

async function nodeNamed(query: string) {
  const [node] = (await http.ok(queryGraph, { query })).nodes;
  if (node === undefined) throw new Error(`no node is called ${query}`);
  return node;
}

describe("an imported graph file", () => {
  test("sets the weight of an edge, or its confidence does", async () => {
    const told: (readonly [fields: Readonly<Record<string, unknown>>, weight: number])[] = [
      [{ confidence: "EXTRACTED" }, 0.9],
      [{ confidence: "INFERRED" }, 0.6],
      [{ confidence: "AMBIGUOUS" }, 0.3],
      [{}, 0.5],
      [{ weight: 1, confidence: "INFERRED" }, 1],
      [{ weight: 0.01, confidence: "INFERRED" }, 0.01],
      [{ weight: 1.01, confidence: "INFERRED" }, 0.6],
      [{ weight: 0, confidence: "INFERRED" }, 0.6],
    ];
    const links = told.map(([fields], at) => ({ source: "n0", target: `n${at + 1}`, ...fields }));
    await importOf({ nodes: numbered(told.length + 1), links });
    const { nodes, edges } = await http.ok(queryGraph, {});
    const weightOf = (name: string) => {
      const id = nodes.find((node) => node.name === name)?.id;
      return edges.find(({ sourceNodeId, targetNodeId }) => [sourceNodeId, targetNodeId].includes(id ?? ""))
        ?.weight;
    };
    expect(told.map((_, at) => weightOf(`n${at + 1}`))).toEqual(told.map(([, weight]) => weight));
  });

  test("is read up to 32 MiB", async () => {
    const sized = (bytes: number) => fileWith(JSON.stringify({ nodes: numbered(1) }).padEnd(bytes));
    const status = async (bytes: number) =>
      (await http.reply(importGraph, { path: sized(bytes), cwd: place.folder })).status;
    expect(await status(32 * 1_048_576)).toBe(200);
    expect(await status(32 * 1_048_576 + 1)).toBe(413);
  });

  test("is read up to 20,000 edges, which is also the limit of a query", async () => {
    const links = linked(20_001, 205);
    expect(await importOf({ nodes: numbered(205), links })).toMatchObject({
      edgesRead: 20_001,
      edgesImported: 20_000,
      truncated: { edges: 1 },
    });
    await importOf({ nodes: numbered(205), links: links.slice(-1) });
    const { edges, totalEdges } = await http.ok(queryGraph, {});
    expect([edges.length, totalEdges]).toEqual([20_000, 20_001]);
  });
});

describe("a graph node", () => {
  test("has a name of at most 300 characters", async () => {
    await importOf({ nodes: [{ id: "one", label: "a".repeat(301) }] });
    expect((await nodeNamed("aaa")).name).toBe("a".repeat(300));
  });

  test("has properties of at most 16 KiB in bytes, from a graph file or an export", async () => {
    // The JSON around the text takes 11 bytes, and each of these letters two.
    const fits = { note: "é".repeat(8_186) };
    const tooLarge = { note: "é".repeat(8_187) };
    await importOf({
      nodes: [
        { id: "small", ...fits },
        { id: "large", ...tooLarge },
      ],
    });
    expect((await nodeNamed("small")).properties).toEqual(fits);
    expect((await nodeNamed("large")).properties).toEqual({});
    await importOf({ nodes: [{ id: "small", more: true }] });
    expect((await nodeNamed("small")).properties).toEqual(fits);

    const exportData = await http.ok(exportStore, {});
    const graphNodes = Object.entries({ fitting: fits, bursting: tooLarge }).map(([name, properties]) => ({
      ...(exportData.graphNodes as Record<string, unknown>[])[0],
      id: `gnd_${name}`,
      name,
      aliases: [],
      properties,
    }));
    await http.ok(importStore, { exportData: { ...exportData, graphNodes } });
    expect((await nodeNamed("fitting")).properties).toEqual(fits);
    expect((await nodeNamed("bursting")).properties).toEqual({});
  });

  test("lists the newest 50 of its sources and counts all of them", async () => {
    const ids: string[] = [];
    for (let at = 0; at < 51; at += 1) {
      http.advance(1_000);
      const content = `${String.fromCodePoint(0x4e00 + at).repeat(9)} ${at}`;
      ids.push((await http.ok(remember, { content, concepts: ["till"] })).memoryId);
    }
    const { sourceObservationIds, sourceCount } = await nodeNamed("till");
    expect(sourceCount).toBe(51);
    expect([...sourceObservationIds].sort()).toEqual(ids.slice(1).sort());
  });
});

describe("a graph query", () => {
  test("from a start node goes two steps deep by default", async () => {
    await importOf({
      nodes: numbered(4),
      links: [0, 1, 2].map((at) => ({ source: `n${at}`, target: `n${at + 1}` })),
    });
    const { nodes, depth } = await http.ok(queryGraph, { startNodeId: (await nodeNamed("n0")).id });
    expect([depth, nodes.map(({ name }) => name)]).toEqual([2, ["n0", "n1", "n2"]]);
  });

  test("is served from a snapshot of the 500 busiest nodes and their 5,000 strongest edges", async () => {
    await importOf({ nodes: numbered(501), links: linked(5_002, 150) });
    expect(await http.ok(rebuildSnapshot, {})).toMatchObject({
      totalNodes: 501,
      topNodes: 500,
      topEdges: 5_000,
    });
    expect((await http.ok(queryGraph, {})).fromSnapshot).toBe(true);
  });

  test("gets a new snapshot after 1,000 changes, or after ten minutes with any", async () => {
    const refreshed = () => http.core.graph.refreshSnapshot();
    await importOf({ nodes: numbered(1) });
    expect(await refreshed()).toBe(true);
    await importOf({ nodes: numbered(999, 1) });
    expect(await refreshed()).toBe(false);
    await importOf({ nodes: numbered(1, 1_000) });
    expect(await refreshed()).toBe(true);
    await importOf({ nodes: numbered(1, 1_001) });
    http.advance(10 * 60_000 - 1);
    expect(await refreshed()).toBe(false);
    http.advance(1);
    expect(await refreshed()).toBe(true);
  });
});

test("a graph build sends 25 observations per batch by default", async () => {
  place.model.answer(found([entity("libsql")]));
  for (let at = 0; at < 26; at += 1) await prompt(`What of number ${at}?`);
  expect(await inTime(buildGraph, {})).toMatchObject({ observations: 26, batches: 2 });
  expect(await inTime(buildGraph, { force: true, batchSize: 26 })).toMatchObject({ batches: 1 });
});

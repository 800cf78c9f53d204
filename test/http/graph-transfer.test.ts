import { describe, expect, test } from "vitest";
import { observe } from "../../src/capture/observations/operations.ts";
import { diagnose } from "../../src/governance/diagnostics/operations.ts";
import { createSnapshot } from "../../src/governance/snapshots/operations.ts";
import type { Collection, ExportPage } from "../../src/governance/transfer/collection.ts";
import { importStore } from "../../src/governance/transfer/operations.ts";
import { graphStats } from "../../src/graph/operations.ts";
import { edgeRecords, nodeRecords } from "../../src/graph/reading/records.ts";
import { graphEdgeCollection } from "../../src/graph/transfer/edges.ts";
import { graphNodeCollection } from "../../src/graph/transfer/nodes.ts";
import { remember } from "../../src/knowledge/memories/operations.ts";
import { forEachTest } from "../support/for-each-test.ts";
import { graphContent } from "../support/graph-content.ts";
import { dumpStore, openTestHttp, type TestHttp } from "../support/http.ts";

const http = forEachTest(openTestHttp);
const other = forEachTest(openTestHttp);

interface Row extends Record<string, unknown> {
  readonly id: string;
  readonly name?: string;
  readonly type: string;
  readonly sourceObservationIds: string[];
}
interface Graph {
  readonly graphNodes: Row[];
  readonly graphEdges: Row[];
}
type Exported = Record<string, unknown> & Graph;

async function exported(from: TestHttp): Promise<Exported> {
  return (await from.send("/export")).body as Exported;
}

/** Nodes and edges with their sources sorted. */
function graphOf({ graphNodes, graphEdges }: Graph) {
  return [...graphNodes, ...graphEdges].map(({ sourceObservationIds, ...rest }) => ({
    ...rest,
    sourceObservationIds: sourceObservationIds.toSorted(),
  }));
}

/** The records of an export that splits a record with more sources than `mostNamed`. */
async function recordsOf(from: TestHttp, collection: Collection, mostNamed: number): Promise<Row[]> {
  const { store, settings } = from.core.ground;
  const view = await store.openView();
  try {
    const reading = { connection: view, now: from.now(), includeImages: false, home: from.home, settings };
    const pages: ExportPage[] = [];
    for await (const page of collection.pages({ ...reading, mostNamed })) pages.push(page);
    return JSON.parse(`[${pages.map((page) => Buffer.from(page).toString()).join(",")}]`) as Row[];
  } finally {
    await view.close();
  }
}

/** Joins the parts of split records. */
function united({ graphNodes, graphEdges }: Graph): Graph {
  const whole = (rows: readonly Row[]) => {
    const byId = new Map<string, Row>();
    for (const { divided, ...row } of rows) {
      const earlier = byId.get(row.id);
      expect(divided ?? false).toBe(rows.filter(({ id }) => id === row.id).length > 1);
      const sourceObservationIds = [...(earlier?.sourceObservationIds ?? []), ...row.sourceObservationIds];
      byId.set(row.id, { ...row, sourceObservationIds });
    }
    return [...byId.values()];
  };
  return { graphNodes: whole(graphNodes), graphEdges: whole(graphEdges) };
}

/** The same records, with the first part of each so far from the others that they are stored in different chunks. */
function apart({ graphNodes, graphEdges }: Graph): Graph {
  const node = (at: number) => `between ${at}`;
  const between = { createdAt: 0, sourceObservationIds: [] };
  const nodesBetween = Array.from({ length: 1_000 }, (_, at) => {
    return { ...between, id: node(at), type: "concept", name: node(at) };
  });
  const edgesBetween = Array.from({ length: 999 }, (_, at) => {
    const ends = { sourceNodeId: node(at), targetNodeId: node(at + 1) };
    return { ...between, ...ends, id: `${node(at)}e`, type: "uses" };
  });
  const isFirst = (row: Row, at: number, rows: readonly Row[]) =>
    rows.findIndex(({ id }) => id === row.id) === at;
  const spread = (rows: Row[], others: Row[]) => [
    ...rows.filter(isFirst),
    ...others,
    ...rows.filter((row, at) => !isFirst(row, at, rows)),
  ];
  return { graphNodes: spread(graphNodes, nodesBetween), graphEdges: spread(graphEdges, edgesBetween) };
}

async function edited(file: string, at = "2026-03-01T10:00:00Z", to = http): Promise<string> {
  const base = {
    sessionId: "s1",
    project: "/w/shop",
    cwd: "/w/shop",
    hookType: "post_tool_use",
    timestamp: at,
  };
  const toolInput = { file_path: file, content: 'import Redis from "ioredis";\nqueue.drain()' };
  return (await to.ok(observe, { ...base, data: { toolName: "Edit", toolInput } })).observationId;
}

async function fill(): Promise<{ first: string; second: string; memoryId: string }> {
  const first = await edited("/w/shop/src/queue.ts");
  const second = await edited("/w/shop/src/worker.ts", "2026-03-01T10:01:00Z");
  const { memoryId } = await http.ok(remember, {
    content: "Queues are drained before shutdown",
    project: "shop",
    concepts: ["queue"],
    files: ["src/queue.ts"],
  });
  return { first, second, memoryId };
}

async function noFaults(of: TestHttp): Promise<void> {
  const { checks } = await of.ok(diagnose, { categories: ["graph", "index"] });
  expect(checks.filter(({ status }) => status === "fail")).toEqual([]);
}

/** A node and an edge that a model made, as another store may export them. */
const made = (first: string) => ({
  graphNodes: [
    {
      id: "n1",
      type: "gadget",
      name: "Ada",
      project: "/w/shop",
      origin: "llm",
      aliases: ["Countess"],
      properties: { role: "lead", key: `ghp_${"a".repeat(36)}` },
      sourceObservationIds: [first],
      createdAt: "2026-01-01T00:00:00Z",
    },
    { id: "n2", type: "concept", name: "Queue", project: "/w/shop", createdAt: 1_767_225_600_000 },
  ],
  graphEdges: [
    {
      id: "e1",
      type: "invented",
      sourceNodeId: "n1",
      targetNodeId: "n2",
      weight: 0.8,
      sourceObservationIds: [first],
      createdAt: "2026-01-01T00:00:00Z",
    },
  ],
});

describe("the graph of an export", () => {
  test("lists every source of a node, also beyond the newest 50", async () => {
    for (let n = 0; n < 60; n += 1) {
      http.advance(3_600_000);
      await edited("/w/shop/src/queue.ts", new Date(Date.UTC(2026, 1, 1, 0, n)).toISOString());
    }
    const { graphNodes } = await exported(http);
    const file = graphNodes.find(({ type }) => type === "file");
    expect(file?.sourceObservationIds).toHaveLength(60);
    expect(file?.sourceCount).toBe(60);
  });

  test("is reproduced in an empty store with its ids, without duplicates", async () => {
    await fill();
    const whole = await exported(http);
    expect(whole.graphNodes.length).toBeGreaterThan(5);
    const { counts, warnings } = await other.ok(importStore, { exportData: whole });
    expect(warnings).toEqual([]);
    expect(counts.graphNodes).toEqual({ written: whole.graphNodes.length, skipped: 0 });
    expect(counts.graphEdges).toEqual({ written: whole.graphEdges.length, skipped: 0 });
    expect(graphOf(await exported(other))).toEqual(graphOf(whole));
    const { snapshot: _mine, updatedAt: _at, ...stats } = await http.ok(graphStats, {});
    expect(await other.ok(graphStats, {})).toMatchObject(stats);
    await noFaults(other);
  });

  test("splits nodes with many sources into several records, which every strategy joins again", async () => {
    await fill();
    for (let n = 0; n < 7; n += 1) {
      http.advance(3_600_000);
      await edited("/w/shop/src/queue.ts", new Date(Date.UTC(2026, 1, 1, 0, n)).toISOString());
    }
    const { graphNodes, graphEdges, ...others } = await exported(http);
    const whole = graphOf({ graphNodes, graphEdges });
    for (const mostNamed of [2, 4]) {
      const divided = {
        graphNodes: await recordsOf(http, graphNodeCollection, mostNamed),
        graphEdges: await recordsOf(http, graphEdgeCollection, mostNamed),
      };
      const rows = [...divided.graphNodes, ...divided.graphEdges];
      const sizes = rows.map(({ sourceObservationIds }) => sourceObservationIds.length);
      expect([Math.min(...sizes), Math.max(...sizes)]).toEqual([1, mostNamed]);
      expect(graphOf(united(divided))).toEqual(whole);
      const file = apart(divided);
      for (const strategy of ["skip", "merge", "replace"] as const) {
        const empty = await openTestHttp();
        const exportData = { ...others, ...file };
        const { counts, warnings } = await empty.ok(importStore, { exportData, strategy });
        expect(warnings).toEqual([]);
        expect(counts.graphNodes).toEqual({ written: file.graphNodes.length, skipped: 0 });
        expect(counts.graphEdges).toEqual({ written: file.graphEdges.length, skipped: 0 });
        const taken = graphOf(await exported(empty)).filter(({ id }) => !id.startsWith("between"));
        expect(taken, strategy).toEqual(whole);
        const again = await empty.ok(importStore, { exportData, strategy: "skip" });
        expect(again.counts.graphNodes?.written).toBe(0);
        await noFaults(empty);
        await empty.close();
      }
    }
  });

  test("keeps what models and other tools contributed, and what of it is stale", async () => {
    const { first } = await fill();
    const { graphNodes, graphEdges } = made(first);
    const extra = {
      graphNodes: graphNodes.map((node) => ({ ...node, stale: node.id === "n1" })),
      graphEdges: graphEdges.map((edge) => ({ ...edge, stale: true, properties: { relation: "leads" } })),
    };
    await http.ok(importStore, { exportData: extra });
    const whole = await exported(http);
    expect(whole.graphNodes.find(({ id }) => id === "n1")).toMatchObject({ stale: true, origin: "llm" });
    await other.ok(importStore, { exportData: whole });
    expect(graphOf(await exported(other))).toEqual(graphOf(whole));
    const again = await other.ok(importStore, { exportData: whole });
    expect([again.counts.graphNodes?.written, again.counts.graphEdges?.written]).toEqual([0, 0]);
    // Another file says the same as current knowledge.
    const said = (await other.ok(importStore, { exportData: made(first) })).counts;
    expect([said.graphNodes?.written, said.graphEdges?.written]).toEqual([1, 1]);
    const { graphNodes: current, graphEdges: currentEdges } = await exported(other);
    expect([...current, ...currentEdges].filter(({ stale }) => stale === true)).toEqual([]);
  });

  test("merges two known nodes that an imported node names, and their edges", async () => {
    const at = { project: "/w/shop", createdAt: 0 };
    const concept = (id: string, name: string, aliases: string[] = []) => ({
      ...at,
      id,
      type: "concept",
      name,
      aliases,
    });
    const edge = (id: string, sourceNodeId: string, targetNodeId: string) => ({
      ...at,
      id,
      type: "uses",
      sourceNodeId,
      targetNodeId,
    });
    const first = [concept("a", "k8s"), concept("b", "kubernetes"), concept("c", "pods")];
    await http.ok(importStore, { exportData: { graphNodes: first } });
    const united = [concept("b", "kubernetes"), concept("x", "K8S", ["Kubernetes"])];
    const graphEdges = [edge("e1", "b", "c"), edge("e2", "x", "c"), edge("e3", "c", "x")];
    await http.ok(importStore, { exportData: { graphNodes: united, graphEdges } });
    const whole = await exported(http);
    expect(whole.graphNodes.map(({ id }) => id)).toEqual(["a", "c"]);
    expect(whole.graphEdges.map(({ sourceNodeId, targetNodeId }) => [sourceNodeId, targetNodeId])).toEqual([
      ["a", "c"],
      ["c", "a"],
    ]);
    await noFaults(http);
  });

  test("is complete in the next store, however much is told of the same thing", async () => {
    const concept = (id: string, name: string, properties = {}, aliases: string[] = []) => {
      return { id, type: "concept", name, properties, aliases, createdAt: 0 };
    };
    const long = (letter: string) => letter.repeat(9_000);
    const known = [
      concept("a", "k8s", { about: long("a") }),
      concept("b", "kubernetes", { about: long("b"), since: 2014 }),
      concept("c", "kube", { notes: long("c") }),
    ];
    await http.ok(importStore, { exportData: { graphNodes: known } });
    const pods = Array.from({ length: 30 }, (_, n) => concept(`p${n}`, "pods", {}, [`one ${n}`, `two ${n}`]));
    const more = [
      concept("d", "k8s", {}, ["kubernetes", "kube"]),
      concept("e", "docker", { about: long("e") }),
      concept("f", "Docker", { about: "f", notes: long("f") }),
      ...pods,
    ];
    await http.ok(importStore, { exportData: { graphNodes: more } });
    const later = [
      { ...concept("g", "k8s", { by: "a company" }, ["kubes"]), origin: "llm" },
      concept("h", "pods", {}, ["three"]),
    ];
    const { counts } = await http.ok(importStore, { exportData: { graphNodes: later } });
    expect(counts.graphNodes).toEqual({ written: 1, skipped: 1 });
    const whole = await exported(http);
    const told = whole.graphNodes.map(({ name, aliases, properties }) => ({ name, aliases, properties }));
    expect(told).toEqual([
      {
        name: "k8s",
        aliases: ["kubernetes", "kube", "kubes"],
        properties: { about: long("a"), since: 2014, by: "a company" },
      },
      { name: "docker", aliases: [], properties: { about: long("e") } },
      { name: "pods", aliases: pods.flatMap(({ aliases }) => aliases).slice(0, 50), properties: {} },
    ]);
    expect(new Set(whole.graphNodes.map(({ origin }) => origin))).toEqual(new Set(["import"]));
    await other.ok(importStore, { exportData: whole });
    expect(graphOf(await exported(other))).toEqual(graphOf(whole));
    await noFaults(http);
  });

  test.each(["merge", "skip"] as const)("changes nothing when imported again under %s", async (strategy) => {
    await fill();
    const exportData = await exported(http);
    await other.ok(importStore, { exportData, strategy });
    const before = await dumpStore(other, ["audit_log", "audit"]);
    other.advance(60_000);
    const { counts } = await other.ok(importStore, { exportData, strategy });
    expect([counts.graphNodes?.written, counts.graphEdges?.written]).toEqual([0, 0]);
    const graphTables = (dump: string) => dump.split("\n").filter((line) => line.startsWith("graph_"));
    expect(graphTables(await dumpStore(other))).toEqual(graphTables(before));
  });

  test("gives an edge without a time the time of its first import, and imports it once", async () => {
    const node = (id: string, name: string) => ({ id, type: "file", name, properties: {}, createdAt: 0 });
    const edge = { id: "e", type: "imports", sourceNodeId: "a", targetNodeId: "b", weight: 0.5 };
    const exportData = { graphNodes: [node("a", "a.ts"), node("b", "b.ts")], graphEdges: [edge] };
    const cameIn = new Date(http.now()).toISOString();
    await http.ok(importStore, { exportData });
    http.advance(60_000);
    const { counts } = await http.ok(importStore, { exportData });
    expect(counts.graphEdges).toEqual({ written: 0, skipped: 1 });
    const { graphEdges } = await exported(http);
    expect(graphEdges).toEqual([expect.objectContaining({ ...edge, createdAt: cameIn, updatedAt: cameIn })]);
  });

  test("may have edges of no weight, as agentmemory writes them, which are shown with the least one", async () => {
    const node = (id: string) => ({ id, type: "concept", name: id, properties: {}, createdAt: 0 });
    const edge = { id: "e", type: "uses", sourceNodeId: "a", targetNodeId: "b", weight: 0, createdAt: 0 };
    await http.ok(importStore, { exportData: { graphNodes: [node("a"), node("b")], graphEdges: [edge] } });
    expect((await exported(http)).graphEdges).toMatchObject([{ id: "e", weight: 0.0001 }]);
  });

  test("has nodes and edges as the graph query returns them", async () => {
    const { first } = await fill();
    for (const sourceObservationIds of [[], [first]]) {
      const edge = made(first).graphEdges[0];
      const weights = [0.123449999, 0.1, 1 / 3, 1, 1e-9].map((weight, at) => ({
        ...edge,
        id: `w${at}`,
        type: ["uses", "causes", "imports", "related_to", "fixes"][at],
        weight,
        origin: "import",
        properties: { at },
        sourceObservationIds,
      }));
      await http.ok(importStore, { exportData: { ...made(first), graphEdges: weights } });
    }
    const { graphNodes, graphEdges } = await exported(http);
    const { sql } = http.core.ground.store.read;
    const keysOf = async (table: string) =>
      (await sql.values(`SELECT key FROM ${table} ORDER BY key`)).map(([key]) => Number(key));
    const everyone = { kind: "everyone" } as const;
    const nodes = await nodeRecords(sql, await keysOf("graph_nodes"), everyone);
    // An export has the sources in the order of their ids, which an import keeps.
    const inOrder = <One extends { sourceObservationIds: string[] }>(rows: readonly One[]) =>
      rows.map((row) => ({ ...row, sourceObservationIds: row.sourceObservationIds.toSorted() }));
    expect(graphNodes.map(({ projectKey: _key, ...node }) => node)).toEqual(inOrder(nodes));
    const edges = await edgeRecords(sql, await keysOf("graph_edges"), everyone);
    expect(graphEdges.map(({ structural: _by, givenWeight: _given, ...edge }) => edge)).toEqual(
      inOrder(edges),
    );
    expect(graphEdges.map(({ givenWeight }) => givenWeight)).toContain(1 / 3);
    const other = await openTestHttp();
    const { counts } = await other.ok(importStore, { exportData: await exported(http) });
    expect(counts.graphEdges?.written).toBe(graphEdges.length);
    await other.close();
  });

  test("is completed by rules where the file lacks a part of it", async () => {
    const { first } = await fill();
    const whole = await exported(http);
    const [anEdge] = whole.graphEdges;
    const [aNode] = whole.graphNodes.filter(({ sourceObservationIds: refs }) => refs.length > 1);
    for (const graph of [
      { graphEdges: whole.graphEdges.filter(({ id }) => id !== anEdge?.id) },
      { graphNodes: whole.graphNodes.filter(({ id }) => id !== aNode?.id) },
      {
        graphNodes: whole.graphNodes.map((node) => ({
          ...node,
          sourceObservationIds: node.sourceObservationIds.filter((ref) => ref !== first),
        })),
      },
      {
        graphEdges: whole.graphEdges.map((edge) => ({
          ...edge,
          sourceObservationIds: edge.sourceObservationIds.filter((ref) => ref !== first),
        })),
      },
    ]) {
      await other.ok(importStore, { exportData: { ...whole, ...graph }, strategy: "replace" });
      expect(graphContent(await exported(other))).toEqual(graphContent(whole));
      await noFaults(other);
    }
  });

  test("is built by rules when the file has none", async () => {
    await fill();
    const { graphNodes: _nodes, graphEdges: _edges, ...exportData } = await exported(http);
    await other.ok(importStore, { exportData });
    const names = ({ graphNodes }: Exported) => graphNodes.map(({ type, name }) => `${type} ${name}`).sort();
    expect(names(await exported(other))).toEqual(names(await exported(http)));
  });

  test("is merged with the nodes of the store, which keep their ids", async () => {
    await fill();
    const here = await edited("/w/shop/src/queue.ts", "2026-03-02T10:00:00Z", other);
    const before = (await exported(other)).graphNodes.find(({ type }) => type === "file");
    await other.ok(importStore, { exportData: await exported(http) });
    const files = (await exported(other)).graphNodes.filter(({ name }) => name === before?.name);
    expect(files.map(({ id }) => id)).toEqual([before?.id]);
    expect(files[0]?.sourceObservationIds).toContain(here);
    expect(files[0]?.sourceObservationIds.length).toBeGreaterThan(1);
    await noFaults(other);
  });

  test("adds to a known edge the properties that it lacks, from the first of its rows with some", async () => {
    const graphNodes = ["a", "b"].map((id) => ({ id, type: "concept", name: id, createdAt: 0 }));
    const told = async (...properties: (object | undefined)[]) => {
      const row = { id: "e", type: "uses", sourceNodeId: "a", targetNodeId: "b", createdAt: 0 };
      const graphEdges = properties.map((one) => ({ ...row, ...(one && { properties: one }) }));
      const { counts } = await http.ok(importStore, { exportData: { graphNodes, graphEdges } });
      return [counts.graphEdges?.written, (await exported(http)).graphEdges[0]?.properties];
    };
    expect(await told(undefined)).toEqual([1, undefined]);
    expect(await told(undefined, { why: "first" }, { why: "second" })).toEqual([3, { why: "first" }]);
    expect(await told({ why: "later" })).toEqual([0, { why: "first" }]);
  });

  test("leaves known nodes alone under skip", async () => {
    await edited("/w/shop/src/queue.ts", "2026-03-02T10:00:00Z", other);
    const whole = await exported(other);
    const graphNodes = whole.graphNodes.map((node) => ({ ...node, aliases: ["another name"] }));
    await other.ok(importStore, { exportData: { graphNodes }, strategy: "skip" });
    expect(graphOf(await exported(other))).toEqual(graphOf(whole));
  });

  test("takes the place of the store's graph under replace", async () => {
    await fill();
    await edited("/w/shop/src/other.ts", "2026-03-02T10:00:00Z", other);
    const whole = await exported(http);
    await other.ok(importStore, { exportData: whole, strategy: "replace" });
    expect(graphOf(await exported(other))).toEqual(graphOf(whole));
    await noFaults(other);
  });

  test("is emptied by a replacing file that has no rows and no graph", async () => {
    await edited("/w/shop/src/other.ts", "2026-03-02T10:00:00Z", other);
    const exportData = { sessions: [], observations: {} };
    await other.ok(importStore, { exportData, strategy: "replace" });
    expect(await exported(other)).toMatchObject({ graphNodes: [], graphEdges: [] });
    await noFaults(other);
  });

  test("is redacted on import, and unknown types become known ones with a warning", async () => {
    const { first } = await fill();
    const { warnings } = await http.ok(importStore, { exportData: made(first) });
    expect(warnings).toContain("graphNodes: an unknown type became concept");
    expect(warnings).toContain("graphEdges: an unknown type became related_to");
    const { graphNodes, graphEdges } = await exported(http);
    const ada = graphNodes.find(({ name }) => name === "Ada");
    expect(ada).toMatchObject({ id: "n1", type: "concept", aliases: ["Countess"], origin: "llm" });
    expect(JSON.stringify(ada)).not.toContain("ghp_");
    expect(graphNodes.filter(({ name }) => name?.toLowerCase() === "queue")).toHaveLength(1);
    expect(graphEdges.find(({ id }) => id === "e1")).toMatchObject({ type: "related_to", weight: 0.8 });
    await noFaults(http);
  });

  test("keeps properties as plain data, whatever their names", async () => {
    const properties = JSON.parse('{"__proto__":{"kind":"text"},"constructor":"Queue"}') as object;
    const graphNodes = [{ id: "a", type: "concept", name: "Cache", createdAt: 0, properties }];
    await http.ok(importStore, { exportData: JSON.parse(JSON.stringify({ graphNodes })) });
    expect(JSON.stringify((await exported(http)).graphNodes[0]?.properties)).toBe(JSON.stringify(properties));
  });

  test("takes the first and the last time of the rows that tell of the same node or edge", async () => {
    const times = [
      { createdAt: "2026-01-02T00:00:00.000Z", updatedAt: "2026-01-05T00:00:00.000Z" },
      { createdAt: "2026-01-01T00:00:00.000Z", updatedAt: "2026-01-06T00:00:00.000Z" },
      { createdAt: "2026-01-03T00:00:00.000Z", updatedAt: "2026-01-04T00:00:00.000Z" },
    ];
    const told = <One extends { id: string }>(row: One) =>
      times.map((time, at) => ({ ...row, ...time, id: `${row.id}${at}` }));
    await http.ok(importStore, {
      exportData: {
        graphNodes: [
          ...told({ id: "a", type: "concept", name: "Cache" }),
          { id: "b", type: "concept", name: "Queue", createdAt: 0 },
        ],
        graphEdges: told({ id: "e", type: "uses", sourceNodeId: "a0", targetNodeId: "b" }),
      },
    });
    const { graphNodes, graphEdges } = await exported(http);
    const time = { createdAt: "2026-01-01T00:00:00.000Z", updatedAt: "2026-01-06T00:00:00.000Z" };
    expect(graphNodes).toMatchObject([{ name: "Cache", ...time }, { name: "Queue" }]);
    expect(graphEdges).toMatchObject([time]);
  });

  test("is left out with a warning where its sources are not stored", async () => {
    const { warnings, counts } = await http.ok(importStore, { exportData: made("obs_gone") });
    expect(counts).toMatchObject({
      graphNodes: { written: 1, skipped: 1 },
      graphEdges: { written: 0, skipped: 1 },
    });
    expect(warnings).toContain(
      "graphNodes: links with observations and memories that are not stored were dropped",
    );
    expect((await exported(http)).graphNodes.map(({ name }) => name)).toEqual(["Queue"]);
  });

  test("keeps an edge once that the file repeats a thousand rows apart under other node names", async () => {
    const node = (id: string, name: string) => ({
      id,
      type: "concept",
      name,
      project: "/w/shop",
      createdAt: 1,
    });
    const edge = (id: string, sourceNodeId: string, targetNodeId: string) => ({
      ...{ id, sourceNodeId, targetNodeId, type: "uses", origin: "import", createdAt: 1 },
    });
    const others = Array.from({ length: 1_100 }, (_, at) => `n${at}`);
    const file = {
      version: "0.1.0",
      graphNodes: [
        ...[node("hub", "Hub"), node("hub2", "hub"), node("end", "End"), node("end2", "end")],
        ...others.map((id) => node(id, `Thing ${id}`)),
      ],
      graphEdges: [
        ...[edge("first", "hub", "end"), edge("again", "hub2", "end")],
        ...others.map((id) => edge(`e-${id}`, "hub2", id)),
        ...[edge("later", "hub", "end2"), edge("last", "hub2", "n7")],
      ],
    };
    await http.ok(importStore, { exportData: file });
    const { graphEdges, graphNodes } = await exported(http);
    expect(graphEdges.map(({ id }) => id)).toEqual(["first", ...others.map((id) => `e-${id}`)]);
    expect(graphNodes.find(({ name }) => name === "Hub")).toMatchObject({ degree: 1_101 });
    await noFaults(http);
    const again = await http.ok(importStore, { exportData: file });
    expect(again.counts.graphEdges).toEqual({ written: 0, skipped: 1_104 });
  });

  test("gets a new id for a node whose id is taken by another", async () => {
    await http.ok(importStore, { exportData: made("obs_gone") });
    const [node] = made("").graphNodes.slice(1);
    await http.ok(importStore, { exportData: { graphNodes: [{ ...node, name: "Stack" }] } });
    const { graphNodes } = await exported(http);
    expect(graphNodes.map(({ name }) => name)).toEqual(["Queue", "Stack"]);
    expect(new Set(graphNodes.map(({ id }) => id)).size).toBe(2);
  });

  test.each([
    ["graphNodes", { id: "n1", type: "concept", name: " ", createdAt: 0 }, "name"],
    ["graphNodes", { id: "n1", type: "concept", name: "x" }, "createdAt"],
    [
      "graphEdges",
      { id: "e", type: "uses", sourceNodeId: "a", targetNodeId: "b", weight: 2, createdAt: 0 },
      "weight",
    ],
    ["graphEdges", { id: "e", type: "uses", sourceNodeId: "a", createdAt: 0 }, "targetNodeId"],
  ])("with a fault in %s is a 400 that names the field, and nothing changes", async (name, row, field) => {
    const before = await dumpStore(http);
    const reply = await http.reply(importStore, { exportData: { [name]: [row] } });
    expect(reply.status).toBe(400);
    expect(reply.body.issues).toMatchObject([{ path: `exportData.${name}.0.${field}` }]);
    expect(await dumpStore(http)).toBe(before);
  });
});

test("a snapshot records how many graph nodes it holds", async () => {
  await fill();
  const { snapshot } = await http.ok(createSnapshot, {});
  expect(snapshot.stats.graphNodes).toBe((await exported(http)).graphNodes.length);
});

test("importing a memory with new content or a new agent updates its concepts in the graph", async () => {
  const isolated = await openTestHttp({ env: { MEMSVC_AGENT_SCOPE: "isolated" } });
  try {
    const brought = (agentId: string, concept: string, updatedAt: string) =>
      isolated.ok(importStore, {
        exportData: {
          memories: [
            {
              id: "mem_a",
              content: concept,
              concepts: [concept],
              project: "shop",
              createdAt: "2026-01-01",
              agentId,
              updatedAt,
            },
          ],
        },
      });
    const conceptsOf = async (agentId: string) => {
      const { nodesByType } = await isolated.ok(graphStats, { agentId });
      return nodesByType.concept ?? 0;
    };
    await brought("ann", "queue", "2026-01-01");
    expect(await conceptsOf("ann")).toBe(1);
    await brought("ann", "ferret", "2026-01-02");
    expect(await conceptsOf("ann")).toBe(2);
    await brought("bob", "walrus", "2026-01-03");
    expect([await conceptsOf("ann"), await conceptsOf("bob")]).toEqual([0, 1]);
  } finally {
    await isolated.close();
  }
});

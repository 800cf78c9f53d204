import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join, relative } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { observe } from "../../src/capture/observations/operations.ts";
import { endSession } from "../../src/capture/sessions/operations.ts";
import { listAudit } from "../../src/governance/audit/operations.ts";
import { importGraph, importGraphify } from "../../src/graph/imported/operations.ts";
import { buildGraph, extractGraph } from "../../src/graph/model/operations.ts";
import { cascadeUpdate, graphStats, queryGraph } from "../../src/graph/operations.ts";
import { evolve, forget, remember } from "../../src/knowledge/memories/operations.ts";
import type { Operation } from "../../src/operation/define.ts";
import { openTestHttp, type TestHttp } from "../support/http.ts";
import { type ModelServer, openModelServer } from "../support/model-server.ts";

// Put together here, so that no scanner takes this file for a leak.
const secret = ["sk", "ant", "q7Xw2Lm9Zt4Rb6Vn8Kd3"].join("-");

let model: ModelServer;
let http: TestHttp;
let folder: string;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "memsvc-graph-"));
  model = await openModelServer();
  http = await openTestHttp({
    env: {
      GRAPH_EXTRACTION_ENABLED: "true",
      MEMSVC_ALLOWED_ROOTS: folder,
      MEMSVC_GRAPH_BATCH_SIZE: "2",
      ...model.env("openai", "test-key"),
    },
  });
});
afterEach(async () => {
  await http.close();
  await model.close();
  rmSync(folder, { recursive: true });
});

async function prompt(text: string, sessionId = "s1", agentId?: string): Promise<string> {
  http.advance(1_000);
  const { observationId } = await http.ok(observe, {
    sessionId,
    project: "shop",
    cwd: "/w/shop",
    hookType: "prompt_submit",
    timestamp: new Date(http.now()).toISOString(),
    data: { prompt: text },
    ...(agentId === undefined ? {} : { agentId }),
  });
  return observationId;
}

const entity = (name: string, more: Readonly<Record<string, unknown>> = {}) => ({
  type: "library",
  name,
  properties: {},
  aliases: [],
  ...more,
});
const relation = (source: string, target: string, more: Readonly<Record<string, unknown>> = {}) => ({
  type: "depends_on",
  source,
  target,
  weight: 0.9,
  context: "said so",
  ...more,
});
const found = (entities: unknown[], relations: unknown[] = []) =>
  ({ kind: "json", value: { entities, relations } }) as const;

async function modelNodes() {
  const { nodes } = await http.ok(queryGraph, { limit: 5_000 });
  return nodes.filter(({ origin }) => origin === "llm");
}

async function audits(operation: string) {
  return (await http.ok(listAudit, { operation })).entries;
}

/** The answer of a long operation that came in time. */
async function inTime(operation: Operation, input: Readonly<Record<string, unknown>>) {
  const reply = await http.reply(operation, input);
  expect(reply.status, reply.text).toBe(200);
  return reply.body;
}

describe("extraction by a model", () => {
  test("adds entities and relations with their sources, and counts them", async () => {
    const id = await prompt("Postgres needs pgbouncer in front of it");
    model.answer(
      found(
        [entity("Postgres", { aliases: ["PostgreSQL"] }), entity("pgbouncer")],
        [relation("postgresql", "pgbouncer"), relation("pgbouncer", "nowhere")],
      ),
    );
    expect(await inTime(extractGraph, { observations: [id] })).toMatchObject({
      nodesAdded: 2,
      edgesAdded: 1,
      batches: 1,
      failedBatches: 0,
    });
    const { nodes, edges } = await http.ok(queryGraph, { query: "postgresql" });
    expect(nodes[0]).toMatchObject({
      name: "Postgres",
      aliases: ["PostgreSQL"],
      origin: "llm",
      project: "shop",
      sourceObservationIds: [id],
    });
    expect(edges).toEqual([]);
    const around = await http.ok(queryGraph, { startNodeId: nodes[0]?.id ?? "", maxDepth: 1 });
    expect(around.edges).toMatchObject([
      { type: "depends_on", weight: 0.9, properties: { context: "said so" } },
    ]);
    expect((await audits("graph_extract"))[0]?.details).toMatchObject({
      nodesAdded: 2,
      jobId: expect.stringMatching(/^job_/u),
    });
    model.answer(found([entity("PostgreSQL")], []));
    expect(await inTime(extractGraph, { observations: [id] })).toMatchObject({ nodesAdded: 0 });
  });

  test("takes unknown kinds for concepts and plain relations, and redacts what comes back", async () => {
    const id = await prompt("The gateway holds the queue");
    model.answer(
      found(
        [
          entity("gateway", { type: "spaceship" }),
          entity(`key ${secret}`),
          entity("queue", { properties: { note: secret } }),
        ],
        [relation("gateway", "queue", { type: "hugs", weight: 7 })],
      ),
    );
    await inTime(extractGraph, { observations: [id] });
    const nodes = await modelNodes();
    expect(JSON.stringify(nodes)).not.toContain(secret);
    const gateway = await http.ok(queryGraph, { query: "gateway", nodeType: "concept" });
    expect(gateway.totalNodes).toBe(1);
    const { edges } = await http.ok(queryGraph, { limit: 5_000 });
    expect(edges.filter(({ origin }) => origin === "llm")).toMatchObject([{ type: "related_to", weight: 1 }]);
  });

  test("of told observations keeps what was found, without links", async () => {
    model.answer(found([entity("Kafka")]));
    const told = { id: "obs_elsewhere", title: "Kafka is used", narrative: `with ${secret}` };
    expect(await inTime(extractGraph, { observations: [told] })).toMatchObject({ nodesAdded: 1 });
    expect(await modelNodes()).toMatchObject([{ name: "Kafka", sourceCount: 0, sourceObservationIds: [] }]);
    expect(model.seen[0]?.prompt).not.toContain(secret);
    const jobs = await http.core.ground.store.read.sql.all("SELECT payload FROM jobs");
    expect(JSON.stringify(jobs)).not.toContain(secret);
  });

  test.each([
    ["an empty list", [], 400],
    ["an observation that says nothing", [{ id: "x", title: " " }], 400],
    ["only unknown ids", ["obs_unknown"], 404],
  ])("answers %s as an error", async (_what, observations, status) => {
    expect((await http.reply(extractGraph, { observations })).status).toBe(status);
  });

  test("names unknown ids beside known ones", async () => {
    const id = await prompt("something");
    model.answer(found([entity("thing")]));
    expect(await inTime(extractGraph, { observations: [id, "obs_unknown"] })).toMatchObject({
      notFound: ["obs_unknown"],
    });
  });

  test("a failed batch is counted, and when all fail nothing is written", async () => {
    const ids = [await prompt("one thing"), await prompt("two things"), await prompt("three things")];
    const before = await http.ok(graphStats, {});
    model.answer({ kind: "text", text: "no JSON at all" });
    expect((await http.reply(extractGraph, { observations: ids })).status).toBe(502);
    expect(await http.ok(graphStats, {})).toMatchObject({ nodes: before.nodes, edges: before.edges });
    expect(await audits("graph_extract")).toEqual([]);
    // Until then the guard keeps a failing provider from being asked.
    http.advance(3_600_000);
    model.answer(({ prompt: asked }) =>
      asked.includes("three") ? { kind: "text", text: "no" } : found([entity("thing")]),
    );
    expect(await inTime(extractGraph, { observations: ids })).toMatchObject({
      batches: 2,
      failedBatches: 1,
      warning: expect.stringContaining("1 of 2"),
    });
  });

  test("a build reads what was not read before, and again only when forced", async () => {
    for (const at of [1, 2, 3]) await prompt(`thing number ${at}`);
    await prompt("another session", "s2");
    model.answer(found([entity("thing")]));
    expect(await inTime(buildGraph, { batchSize: 2 })).toMatchObject({
      sessions: 2,
      observations: 4,
      nodes: 1,
    });
    const asked = model.seen.length;
    expect(await inTime(buildGraph, { batchSize: 2 })).toMatchObject({
      sessions: 0,
      observations: 0,
      batches: 0,
    });
    expect(model.seen.length).toBe(asked);
    expect(await inTime(buildGraph, { force: true })).toMatchObject({ observations: 4, nodes: 0 });
    expect(await audits("graph_build")).toHaveLength(2);
    expect((await http.reply(buildGraph, { batchSize: 0 })).status).toBe(400);
  });

  test("the end of a session has what it brought read, once", async () => {
    await prompt("Redis keeps the sessions");
    model.answer(({ instructions }) =>
      instructions.includes("knowledge graph")
        ? found([entity("Redis")])
        : { kind: "status", status: 500, message: "only the graph" },
    );
    const end = async () => {
      await http.ok(endSession, { sessionId: "s1" });
      http.advance(10 * 60_000);
      await http.runDueJobs();
    };
    await end();
    expect((await modelNodes()).map(({ name }) => name)).toEqual(["Redis"]);
    expect(await audits("graph_extract")).toHaveLength(1);
    await end();
    expect(await audits("graph_extract")).toHaveLength(1);
  });

  test("is noted as the work of whom it was done for, at the end of a session of its agent", async () => {
    const id = await prompt("Redis keeps the sessions", "s1", "ann");
    model.answer(({ instructions }) =>
      instructions.includes("knowledge graph")
        ? found([entity("Redis")])
        : { kind: "status", status: 500, message: "only the graph" },
    );
    await http.ok(extractGraph, { observations: [id], agentId: "ann" });
    await http.ok(buildGraph, { force: true, agentId: "ann" });
    await prompt("Postgres keeps the rest");
    await http.ok(endSession, { sessionId: "s1" });
    http.advance(10 * 60_000);
    await http.runDueJobs();
    const entries = [...(await audits("graph_extract")), ...(await audits("graph_build"))];
    expect(entries.map(({ agentId }) => agentId)).toEqual(["ann", "ann", "ann"]);
  });

  test("what only a deleted observation told is gone with it", async () => {
    const id = await prompt("Redis keeps the sessions");
    model.answer(found([entity("Redis"), entity("Lua")], [relation("Redis", "Lua")]));
    await inTime(extractGraph, { observations: [id] });
    await http.ok(forget, { sessionId: "s1" });
    expect(await http.ok(graphStats, {})).toMatchObject({ nodes: 0, edges: 0 });
  });
});

describe("extraction for isolated agents", () => {
  beforeEach(async () => {
    await http.close();
    http = await openTestHttp({
      env: {
        GRAPH_EXTRACTION_ENABLED: "true",
        MEMSVC_AGENT_SCOPE: "isolated",
        ...model.env("openai", "test-key"),
      },
    });
    model.answer(({ prompt: asked }) =>
      asked.includes("bobwork")
        ? found(
            [
              entity("libx", { properties: { bobs: "secret plan of bob" }, aliases: ["bobs-private-name"] }),
              entity("liby"),
            ],
            [relation("libx", "liby", { context: "secret reason of bob" })],
          )
        : found([entity("libx"), entity("liby")], [relation("libx", "liby", { context: null })]),
    );
  });
  const read = async (agentId: string, order: Operation = buildGraph) => {
    const id = await prompt(`${agentId}work is done`, agentId, agentId);
    return inTime(order, order === buildGraph ? { agentId } : { agentId, observations: [id] });
  };

  test("a thing that both know shows and is found by what its reader's own rows say of it", async () => {
    await read("ann", extractGraph);
    await read("bob", extractGraph);
    const ask = (agentId: string, query: string) => http.ok(queryGraph, { agentId, query });
    expect((await ask("ann", "bobs-private")).nodes).toEqual([]);
    const anns = await ask("ann", "lib");
    expect(anns.nodes.map(({ name }) => name).sort()).toEqual(["libx", "liby"]);
    expect(anns.edges).toMatchObject([{ type: "depends_on", weight: 0.9 }]);
    expect(JSON.stringify(anns)).not.toMatch(/bobs|secret/u);
    expect(await ask("*", "bobs-private")).toMatchObject({
      nodes: [{ name: "libx", properties: { bobs: "secret plan of bob" }, aliases: ["bobs-private-name"] }],
    });
    // What nobody else has is shown whole.
    await http.ok(forget, { sessionId: "ann", agentId: "ann" });
    expect(await ask("bob", "bobs-private")).toMatchObject({ nodes: [{ aliases: ["bobs-private-name"] }] });
  });

  test("a forced build of one has nothing of another's read again", async () => {
    await read("ann");
    await read("bob");
    expect(await inTime(buildGraph, { agentId: "ann", force: true })).toMatchObject({ observations: 1 });
    expect(await inTime(buildGraph, { agentId: "bob" })).toMatchObject({ observations: 0, batches: 0 });
  });
});

describe("the import of a graph file", () => {
  const file = {
    nodes: [
      { id: "n1", label: "src/app.ts", lines: 120, nested: { x: 1 } },
      { id: "n2", label: "start()" },
      { id: "n3", label: "Boot sequence", type: "pattern" },
      { id: "n4", name: `token ${secret}` },
    ],
    links: [
      { source: "n1", target: "n2", relation: "contains", confidence: "EXTRACTED" },
      { source: "n2", target: "n3", type: "uses", weight: 0.4 },
      { source: "n2", target: "elsewhere", type: "uses" },
    ],
  };
  const write = (value: unknown, name = "graph.json"): string => {
    const path = join(folder, name);
    writeFileSync(path, typeof value === "string" ? value : JSON.stringify(value));
    return path;
  };

  test("takes nodes and edges by its rules, and again changes nothing", async () => {
    const path = write(file);
    expect(await inTime(importGraph, { path, cwd: folder, project: "shop" })).toMatchObject({
      nodesRead: 4,
      edgesRead: 3,
      nodesImported: 4,
      edgesImported: 2,
      newNodes: 4,
      newEdges: 2,
      skippedEdges: 1,
      truncated: null,
    });
    const answer = await http.ok(queryGraph, { project: "shop" });
    expect(answer.nodes.map(({ type, name }) => `${type} ${name}`).sort()).toEqual([
      "concept token [REDACTED_SECRET]",
      "file src/app.ts",
      "function start()",
      "pattern Boot sequence",
    ]);
    expect(answer.nodes.find(({ type }) => type === "file")).toMatchObject({
      aliases: ["n1"],
      properties: { lines: 120 },
      origin: "import",
    });
    expect(answer.edges.map(({ type, weight }) => [type, weight])).toEqual([
      ["related_to", 0.9],
      ["uses", 0.4],
    ]);
    expect(answer.edges[0]?.properties).toMatchObject({ relation: "contains" });
    http.advance(60_000);
    expect(await inTime(importGraphify, { path, cwd: folder, project: "shop" })).toMatchObject({
      newNodes: 0,
      newEdges: 0,
    });
    expect(await http.ok(queryGraph, { project: "shop" })).toEqual(answer);
    expect(await audits("graph_import")).toHaveLength(1);
  });

  test("ties an edge to the node of that id before one of that name, by the first of its words that is a type", async () => {
    const nodes = [
      { id: "c_parse", label: "parse", type: "concept" },
      { id: "parse", label: "parse()", type: "function" },
      { id: "main", label: "main()" },
      { id: "c_run", label: "run", type: "concept" },
    ];
    const links = [
      { source: "main", target: "parse", type: "EXTRACTED", relation: "uses" },
      { source: "main", target: "run", type: 7, label: "depends_on" },
      { source: "run", target: "parse", relation: "calls", label: "often" },
    ];
    await inTime(importGraph, { path: write({ nodes, links }), cwd: folder, project: "shop" });
    const answer = await http.ok(queryGraph, { project: "shop" });
    const name = (id: string) => answer.nodes.find((node) => node.id === id)?.name;
    expect(
      answer.edges.map((edge) =>
        [edge.type, name(edge.sourceNodeId), name(edge.targetNodeId), edge.properties?.relation].join(" "),
      ),
    ).toEqual(["uses main() parse() ", "depends_on main() run ", "related_to parse() run calls"]);
  });

  test("reads a file with a byte order mark, in a folder below the user's home", async () => {
    const path = write(`\uFEFF${JSON.stringify(file)}`);
    const cwd = `~/${relative(homedir(), folder)}`;
    expect(await inTime(importGraph, { path: "graph.json", cwd })).toMatchObject({ path, newNodes: 4 });
  });

  test("by default reads the other tool's folder for the project of that name", async () => {
    const cwd = join(folder, "garden");
    mkdirSync(join(cwd, "graphify-out"), { recursive: true });
    writeFileSync(join(cwd, "graphify-out", "graph.json"), JSON.stringify(file));
    await inTime(importGraph, { cwd });
    expect((await http.ok(graphStats, { project: "garden" })).nodes).toBe(4);
  });

  test("takes the first 5,000 nodes and says how many were left", async () => {
    const nodes = Array.from({ length: 5_003 }, (_, at) => ({ id: `node ${at}` }));
    expect(await inTime(importGraph, { path: write({ nodes, edges: [] }), cwd: folder })).toMatchObject({
      nodesRead: 5_003,
      nodesImported: 5_000,
      truncated: { nodes: 3 },
    });
  });

  test("refuses what is no graph, too large, missing, sensitive or outside", async () => {
    const status = async (path: string) => (await http.reply(importGraph, { path, cwd: folder })).status;
    expect(await status(write("{", "a.json"))).toBe(400);
    expect(await status(write({ links: [] }, "b.json"))).toBe(400);
    expect(await status(folder)).toBe(400);
    expect(await status(write(" ".repeat(33 * 1_048_576), "c.json"))).toBe(413);
    expect(await status(join(folder, "missing.json"))).toBe(404);
    expect(await status("../../../etc/hostname")).toBe(403);
    expect(await status(write(file, "credentials.json"))).toBe(403);
    symlinkSync("/etc/hostname", join(folder, "link.json"));
    expect(await status("link.json")).toBe(403);
    expect((await http.ok(graphStats, {})).nodes).toBe(0);
  });

  test("what was imported outlives the rows that found it too", async () => {
    await inTime(importGraph, { path: write(file), cwd: folder, project: "shop" });
    const { memoryId } = await http.ok(remember, { content: "App", project: "shop", files: ["src/app.ts"] });
    const { nodes } = await http.ok(queryGraph, { query: "src/app.ts" });
    expect(nodes).toMatchObject([{ origin: "import", sourceCount: 1 }]);
    await http.ok(forget, { memoryId });
    expect((await http.ok(queryGraph, { query: "src/app.ts" })).nodes).toMatchObject([{ sourceCount: 0 }]);
  });

  test("an edge that a memory spoke for has the weight of its file again when that is forgotten", async () => {
    const nodes = [{ id: "alpha" }, { id: "beta" }];
    const path = write({ nodes, links: [{ source: "alpha", target: "beta", weight: 0.1 }] });
    await inTime(importGraph, { path, cwd: folder, project: "shop" });
    const edges = async () => (await http.ok(queryGraph, { project: "shop", nodeType: "concept" })).edges;
    const { memoryId } = await http.ok(remember, {
      content: "Both at once",
      project: "shop",
      concepts: ["alpha", "beta"],
    });
    expect(await edges()).toMatchObject([{ weight: 0.3, sourceCount: 1, origin: "import" }]);
    await http.ok(forget, { memoryId });
    expect(await edges()).toMatchObject([{ weight: 0.1, sourceCount: 0, origin: "import" }]);
  });
});

describe("the cascade of a supersession", () => {
  const extracted = async () => {
    const id = await prompt("Deploys go through Jenkins");
    model.answer(found([entity("Jenkins"), entity("Groovy")], [relation("Jenkins", "Groovy")]));
    await inTime(extractGraph, { observations: [id] });
    return id;
  };
  const memory = (content: string, sourceObservationIds: string[] = []) =>
    http.ok(remember, {
      content,
      project: "shop",
      concepts: ["deploy", "ci", "jenkins"],
      sourceObservationIds,
    });

  test("takes model-made rows that only its sources told out of answers", async () => {
    const id = await extracted();
    const other = await prompt("Groovy is also used for scripts");
    await inTime(extractGraph, { observations: [other] });
    const { memoryId } = await memory("Deploys go through Jenkins", [id, other]);
    await http.ok(evolve, { memoryId, newContent: "Deploys go through GitHub Actions now" });
    expect((await modelNodes()).map(({ name }) => name)).toEqual([]);
    expect(await http.ok(graphStats, {})).toMatchObject({ staleNodes: 2, staleEdges: 1 });
    expect((await http.ok(queryGraph, { query: "groovy", nodeType: "library" })).totalNodes).toBe(0);
  });

  test("leaves what another source tells as well, and a new source makes fresh again", async () => {
    const id = await extracted();
    const { memoryId } = await memory("Deploys go through Jenkins", [id]);
    await http.ok(evolve, { memoryId, newContent: "Deploys go through GitHub Actions now" });
    expect(await modelNodes()).toEqual([]);
    await inTime(extractGraph, { observations: [await prompt("Jenkins came back")] });
    expect((await modelNodes()).map(({ name }) => name)).toContain("Jenkins");
  });

  test("tells of siblings of its own project alone, and to an agent of its own and nobody's", async () => {
    const about = async (content: string, more: Readonly<Record<string, unknown>> = {}) => {
      const fields = { content, project: "shop", concepts: ["deploy", "ci"], agentId: "ann", ...more };
      return (await http.ok(remember, fields)).memoryId;
    };
    const memoryId = await about("Deploys go through Jenkins");
    const own = await about("The pipeline needs a manual approval");
    const nobodys = await about("Rollbacks take one button", { agentId: undefined });
    await about("Releases happen on Fridays", { agentId: "bob" });
    await about("Nightly builds run at two", { project: "bank" });
    await http.ok(evolve, { memoryId, newContent: "Deploys go through GitHub Actions now", agentId: "ann" });
    const asked = { supersededMemoryId: memoryId, agentId: "ann", includeOrphans: true };
    expect((await http.ok(cascadeUpdate, asked)).ids.memories).toEqual([nobodys, own]);
  });

  test("a concept that is told twice, in large and small letters, is one that siblings have in common", async () => {
    const about = async (content: string, concepts: string[]) =>
      (await http.ok(remember, { content, project: "shop", concepts })).memoryId;
    const memoryId = await about("Deploys go through Jenkins", ["CI", "deploy"]);
    await about("Nightly builds run at two", ["CI", "ci"]);
    await http.ok(evolve, { memoryId, newContent: "Deploys go through GitHub Actions now" });
    expect((await http.ok(cascadeUpdate, { supersededMemoryId: memoryId })).total).toBe(0);
  });

  test("tells of siblings when it is asked for, and a repeat finds nothing more", async () => {
    const sibling = await memory("The pipeline needs a manual approval before production");
    const { memoryId } = await memory("Deploys go through Jenkins");
    expect((await http.reply(cascadeUpdate, { supersededMemoryId: memoryId })).status).toBe(409);
    await http.ok(evolve, { memoryId, newContent: "Deploys go through GitHub Actions now" });
    expect(await http.ok(cascadeUpdate, { supersededMemoryId: memoryId })).toMatchObject({
      flagged: { nodes: 0, edges: 0, siblingMemories: 1 },
      total: 1,
      ids: { memories: [sibling.memoryId] },
    });
    expect(await http.ok(cascadeUpdate, { supersededMemoryId: memoryId })).toMatchObject({ total: 0 });
    expect(await audits("cascade_update")).toHaveLength(1);
    expect((await http.reply(cascadeUpdate, { supersededMemoryId: "mem_unknown" })).status).toBe(404);
  });

  test("tells of them once where it is asked for several times at the same moment", async () => {
    await memory("The pipeline needs a manual approval before production");
    const { memoryId } = await memory("Deploys go through Jenkins");
    await http.ok(evolve, { memoryId, newContent: "Deploys go through GitHub Actions now" });
    const asked = { supersededMemoryId: memoryId };
    const told = await Promise.all([1, 2, 3].map(() => http.ok(cascadeUpdate, asked)));
    expect(told.map(({ total }) => total).sort()).toEqual([0, 0, 1]);
    expect(await audits("cascade_update")).toHaveLength(1);
  });
});

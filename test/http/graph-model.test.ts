import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { endSession } from "../../src/capture/sessions/operations.ts";
import { buildGraph, extractGraph } from "../../src/graph/model/operations.ts";
import { graphStats, queryGraph } from "../../src/graph/operations.ts";
import { forget } from "../../src/knowledge/memories/operations.ts";
import type { Operation } from "../../src/operation/define.ts";
import {
  closeGraphPlace,
  entity,
  found,
  graphSteps,
  openGraphPlace,
  relation,
} from "../support/graph-layers.ts";
import { openTestHttp, type TestHttp } from "../support/http.ts";
import type { ModelServer } from "../support/model-server.ts";

// Assembled here, so that no secret scanner reports this file.
const secret = ["sk", "ant", "q7Xw2Lm9Zt4Rb6Vn8Kd3"].join("-");

let model: ModelServer;
let http: TestHttp;
let folder: string;
const { audits, inTime, modelNodes, prompt } = graphSteps(() => http);
beforeEach(async () => {
  ({ folder, http, model } = await openGraphPlace());
});
afterEach(() => closeGraphPlace({ folder, http, model }));

describe("graph extraction by a model", () => {
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

  test("connects an entity with things that only the graph knows", async () => {
    const first = await prompt("The platform team runs them");
    model.answer(
      found([entity("Postgres", { aliases: ["PostgreSQL"] }), entity("Redis", { type: "library" })]),
    );
    await inTime(extractGraph, { observations: [first] });
    const second = await prompt("The outage came from the connection limit");
    const relations = [
      relation("outage", "postgresql", { type: "caused_by" }),
      relation("REDIS", "Postgres", { type: "depends_on" }),
      relation("outage", "redis", { type: "blocked_by" }),
    ];
    model.answer(found([entity("outage", { type: "event" })], relations));
    const counts = { nodesAdded: 1, nodesUpdated: 2, edgesAdded: 3 };
    expect(await inTime(extractGraph, { observations: [second] })).toMatchObject(counts);
    const { nodes, edges } = await http.ok(queryGraph, { limit: 5_000 });
    const nameOf = new Map(nodes.map(({ id, name }) => [id, name]));
    const shown = edges
      .filter(({ origin }) => origin === "llm")
      .map(({ type, ...ends }) =>
        [nameOf.get(ends.sourceNodeId), type, nameOf.get(ends.targetNodeId)].join(" "),
      );
    expect(shown.sort()).toEqual([
      "Redis depends_on Postgres",
      "outage blocked_by Redis",
      "outage caused_by Postgres",
    ]);
  });

  test("turns unknown types into concepts and plain relations, and redacts secrets", async () => {
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

  test("of observations given in the request keeps the entities without source links", async () => {
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
  ])("refuses %s", async (_what, observations, status) => {
    expect((await http.reply(extractGraph, { observations })).status).toBe(status);
  });

  test("lists unknown ids beside known ones", async () => {
    const id = await prompt("something");
    model.answer(found([entity("thing")]));
    expect(await inTime(extractGraph, { observations: [id, "obs_unknown"] })).toMatchObject({
      notFound: ["obs_unknown"],
    });
  });

  test("counts a failed batch, and writes nothing when all batches fail", async () => {
    const ids = [await prompt("one thing"), await prompt("two things"), await prompt("three things")];
    const before = await http.ok(graphStats, {});
    model.answer({ kind: "text", text: "no JSON at all" });
    expect((await http.reply(extractGraph, { observations: ids })).status).toBe(502);
    expect(await http.ok(graphStats, {})).toMatchObject({ nodes: before.nodes, edges: before.edges });
    expect(await audits("graph_extract")).toEqual([]);
    // Until then the circuit breaker keeps the failing provider from being asked.
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

  test("reads only new observations in a build, and all of them when forced", async () => {
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

  test("reads new observations once at the end of a session", async () => {
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

  test("is audited under the agent that it was done for", async () => {
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

  test("loses what only a deleted observation supported", async () => {
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

  test("a shared node shows an agent only what the agent's own rows say of it", async () => {
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
    // A node that no other agent shares is shown with all its properties.
    await http.ok(forget, { sessionId: "ann", agentId: "ann" });
    expect(await ask("bob", "bobs-private")).toMatchObject({ nodes: [{ aliases: ["bobs-private-name"] }] });
  });

  test("a forced build for one agent does not read another agent's observations again", async () => {
    await read("ann");
    await read("bob");
    expect(await inTime(buildGraph, { agentId: "ann", force: true })).toMatchObject({ observations: 1 });
    expect(await inTime(buildGraph, { agentId: "bob" })).toMatchObject({ observations: 0, batches: 0 });
  });
});

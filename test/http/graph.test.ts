import { readdirSync, readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { listAudit } from "../../src/governance/audit/operations.ts";
import { diagnose, heal } from "../../src/governance/diagnostics/operations.ts";
import { graphStats, queryGraph, rebuildSnapshot, resetGraph } from "../../src/graph/operations.ts";
import { graphSchemaSql } from "../../src/graph/storage/graph-schema.ts";
import { deleteMemories } from "../../src/knowledge/memories/forgetting/deletion.ts";
import { evolve, forget, remember } from "../../src/knowledge/memories/operations.ts";
import { openTestHttp, type TestHttp } from "../support/http.ts";
import { type ModelServer, openModelServer } from "../support/model-server.ts";
import { happen } from "../support/workdays.ts";

let model: ModelServer;
let http: TestHttp;

async function open(env: Readonly<Record<string, string>> = {}): Promise<void> {
  model = await openModelServer();
  http = await openTestHttp({
    env: { GRAPH_EXTRACTION_ENABLED: "true", ...model.env("openai", "test-key"), ...env },
  });
}
afterEach(async () => {
  await http.close();
  await model.close();
});

interface Edit {
  readonly file?: string;
  readonly text?: string;
  readonly project?: string;
  readonly agentId?: string;
  readonly sessionId?: string;
}

function edit({
  file = "src/session.ts",
  text = "const maxRetries = 3;",
  project = "shop",
  sessionId = `of-${project}`,
  agentId,
}: Edit = {}): Promise<string> {
  const cwd = `/w/${project}`;
  const toolInput = { file_path: `${cwd}/${file}`, old_string: "", new_string: text };
  const place = { project: cwd, cwd, agentId };
  return happen(http, sessionId, "post_tool_use", { toolName: "Edit", toolInput }, place);
}

function fail(message: string): Promise<string> {
  const cwd = "/w/shop";
  const data = { toolName: "Read", toolInput: { file_path: `${cwd}/src/session.ts` }, error: message };
  return happen(http, "of-shop", "post_tool_failure", data, { project: cwd, cwd });
}

async function nodeNamed(name: string, type?: "file" | "concept" | "error" | "library" | "project") {
  const { nodes } = await http.ok(queryGraph, { query: name, nodeType: type, limit: 5_000 });
  return nodes.find((node) => node.name === name);
}

/** The graph by names, with counts and weights, which must be the same however it was built. */
async function pictureOf(): Promise<unknown> {
  const { nodes, edges } = await http.ok(queryGraph, { limit: 5_000 });
  const names = new Map(nodes.map(({ id, type, name }) => [id, `${type} ${name.toLowerCase()}`]));
  return {
    nodes: nodes.map(({ id, sourceCount, degree }) => `${names.get(id)} ${sourceCount} ${degree}`).sort(),
    edges: edges
      .map(({ sourceNodeId, targetNodeId, type, weight }) =>
        [type, weight, ...[names.get(sourceNodeId), names.get(targetNodeId)].sort()].join(" "),
      )
      .sort(),
  };
}

describe("the structural graph", () => {
  beforeEach(() => open());

  test("links an observation's file to its concepts, libraries and project at once", async () => {
    const id = await edit({ text: 'import { z } from "zod";\nconst maxRetries = 3;' });
    const file = await nodeNamed("src/session.ts", "file");
    expect(file).toMatchObject({ sourceObservationIds: [id], sourceCount: 1, origin: "structural" });
    const { nodes, edges } = await http.ok(queryGraph, { startNodeId: file?.id ?? "", maxDepth: 1 });
    const found = nodes.map(({ type, name }) => `${type} ${name}`);
    expect(found[0]).toBe("file src/session.ts");
    expect(found).toEqual(
      expect.arrayContaining(["library zod", "project shop", "concept session", "concept zod"]),
    );
    const library = nodes.find(({ type }) => type === "library")?.id;
    expect(edges).toContainEqual(
      expect.objectContaining({
        type: "imports",
        sourceNodeId: file?.id,
        targetNodeId: library,
        weight: 0.3,
      }),
    );
  });

  test("has the packages of a Go file's imports, and of install commands without the values of options", async () => {
    await edit({ file: "main.go", text: 'import (\n\t"fmt"\n\tmux "github.com/gorilla/mux"\n)\n' });
    const toolInput = { command: 'pip install "fastapi[all]" && cargo add tokio --features full' };
    await happen(http, "of-shop", "post_tool_use", { toolName: "Bash", toolInput }, { project: "/w/shop" });
    const { nodes } = await http.ok(queryGraph, { nodeType: "library" });
    expect(nodes.map(({ name }) => name).sort()).toEqual(["fastapi", "github.com/gorilla/mux", "tokio"]);
  });

  test("merges errors that differ only in numbers and folders", async () => {
    await fail("Error: ENOENT: no such file /tmp/a1/config.json at line 12");
    await fail("Error: ENOENT: no such file /var/b2/config.json at line 97");
    const { nodes } = await http.ok(queryGraph, { nodeType: "error" });
    expect(nodes).toHaveLength(1);
    expect(nodes[0]).toMatchObject({
      name: expect.stringContaining("config.json at line #"),
      sourceCount: 2,
    });
  });

  test("gives an edge more weight with each record that supports it", async () => {
    const weights: (number | undefined)[] = [];
    for (const value of [1, 2, 3]) {
      await edit({ text: `const maxRetries = ${value};` });
      const file = await nodeNamed("src/session.ts", "file");
      const project = await nodeNamed("shop", "project");
      const { edges } = await http.ok(queryGraph, { startNodeId: project?.id ?? "", maxDepth: 1 });
      weights.push(
        edges.find(({ sourceNodeId, targetNodeId }) =>
          [sourceNodeId, targetNodeId].every((end) => end === file?.id || end === project?.id),
        )?.weight,
      );
    }
    expect(weights).toEqual([0.3, 0.51, 0.657]);
  });

  test("loses with a deleted record only what no other record supports", async () => {
    await edit({ file: "src/kept.ts" });
    const before = await pictureOf();
    const observationId = await edit({ file: "src/session.ts", text: "const other = 1;" });
    await http.ok(remember, { content: "Tokens expire", project: "/w/shop", files: ["src/session.ts"] });
    const { memoryId } = await http.ok(remember, {
      content: "Nothing like the other one at all",
      project: "/w/shop",
      concepts: ["only-here"],
      files: ["src/session.ts"],
    });
    await http.ok(forget, { memoryId });
    expect(await nodeNamed("only-here")).toBeUndefined();
    expect(await nodeNamed("src/session.ts", "file")).toMatchObject({ sourceCount: 2 });
    await http.ok(forget, { sessionId: "of-shop", observationIds: [observationId] });
    expect(await nodeNamed("src/session.ts", "file")).toMatchObject({ sourceCount: 1 });
    await http.core.ground.store.write(async (tx) => {
      const rows = await tx.sql.all<{ id: string }>("SELECT id FROM memories");
      await deleteMemories(
        tx,
        rows.map(({ id }) => id),
        http.now(),
      );
    });
    expect(await pictureOf()).toEqual(before);
  });

  test("keeps nodes of two checkouts with the same name apart", async () => {
    await edit({ project: "shop" });
    await edit({ project: "blog" });
    const { nodes } = await http.ok(queryGraph, { query: "src/session.ts" });
    expect(nodes.map(({ project }) => project).sort()).toEqual(["/w/blog", "/w/shop"]);
    const shop = await http.ok(queryGraph, { query: "src/session.ts", project: "/w/shop" });
    expect(shop.nodes).toHaveLength(1);
    expect((await http.ok(graphStats, { project: "/w/nobody" })).nodes).toBe(0);
  });
});

describe("the graph in isolated scope", () => {
  beforeEach(() => open({ MEMSVC_AGENT_SCOPE: "isolated" }));

  test("shows an agent only nodes with a source it may see, and only those sources", async () => {
    const anns = await edit({ agentId: "ann", sessionId: "a" });
    const bobs = await edit({ agentId: "bob", sessionId: "b", text: "const backoffFactor = 2;" });
    const seenBy = async (agentId: string) => {
      const { nodes, totalNodes } = await http.ok(queryGraph, { agentId });
      expect(totalNodes).toBe(nodes.length);
      return nodes;
    };
    const ofAnn = await seenBy("ann");
    const file = ofAnn.find(({ type }) => type === "file");
    expect(file).toMatchObject({ sourceObservationIds: [anns], sourceCount: 1 });
    const around = await http.ok(queryGraph, { agentId: "ann", startNodeId: file?.id ?? "", maxDepth: 1 });
    expect(file?.degree).toBe(around.nodes.length - 1);
    expect(ofAnn.map(({ name }) => name)).not.toContain("backofffactor");
    expect((await seenBy("bob")).flatMap(({ sourceObservationIds }) => sourceObservationIds)).not.toContain(
      anns,
    );
    const everyone = await http.ok(queryGraph, { agentId: "*", query: "src/session.ts" });
    expect(everyone.nodes[0]?.sourceObservationIds).toEqual([bobs, anns]);
    const hidden = (await seenBy("bob")).find(({ name }) => name === "backofffactor");
    const refused = await http.reply(queryGraph, { startNodeId: hidden?.id, agentId: "ann" });
    expect(refused.status).toBe(404);
    const stats = async (agentId: string) => (await http.ok(graphStats, { agentId })).nodes;
    expect(await stats("ann")).toBe(ofAnn.length);
    expect(await stats("*")).toBeGreaterThan(ofAnn.length);
    expect((await http.reply(graphStats, {})).status).toBe(400);
  });

  test("reports the snapshot's counts only to a reader of all agents", async () => {
    await edit({ agentId: "ann", sessionId: "a" });
    const { topNodes, topEdges } = await http.ok(rebuildSnapshot, {});
    const told = async (agentId: string) => (await http.ok(graphStats, { agentId })).snapshot;
    expect(await told("bob")).toBeNull();
    expect(await told("*")).toMatchObject({ nodes: topNodes, edges: topEdges });
  });
});

describe("graph queries", () => {
  beforeEach(() => open());

  test("are refused without the flag or a provider, while graph statistics are not", async () => {
    await http.close();
    for (const env of [{ GRAPH_EXTRACTION_ENABLED: "false" }, { MEMSVC_PROVIDER: "noop" }]) {
      http = await openTestHttp({ env: { GRAPH_EXTRACTION_ENABLED: "true", ...env } });
      const reply = await http.reply(queryGraph, {});
      expect(reply.status).toBe(503);
      expect(reply.body).toMatchObject({ flag: "GRAPH_EXTRACTION_ENABLED", enableHow: expect.any(String) });
      expect((await http.reply(graphStats, {})).status).toBe(200);
      await http.close();
    }
    http = await openTestHttp();
  });

  test.each([
    ["an unknown type", { nodeType: "thing" }, 400],
    ["a negative depth", { maxDepth: -1 }, 400],
    ["a blank query", { query: "  " }, 400],
    ["a limit of zero", { limit: 0 }, 400],
    ["an unknown start", { startNodeId: "gnd_unknown" }, 404],
  ])("refuse %s", async (_what, input, status) => {
    expect((await http.reply(queryGraph, input)).status).toBe(status);
  });

  test("return pages without gaps in every mode, and truncated only while more follows", async () => {
    for (const at of [1, 2, 3, 4]) await edit({ file: `src/part-${at}.ts`, text: `const value${at} = 1;` });
    const project = await nodeNamed("shop", "project");
    const modes = [
      {},
      { nodeType: "file" },
      { query: "part" },
      { startNodeId: project?.id ?? "", maxDepth: 9 },
    ] as const;
    for (const mode of modes) {
      const whole = await http.ok(queryGraph, { ...mode, limit: 5_000 });
      expect(whole.truncated).toBe(false);
      expect(whole.nodes).toHaveLength(whole.totalNodes);
      expect(whole.edges).toHaveLength(whole.totalEdges);
      const ids: string[] = [];
      for (let offset = 0; offset < whole.totalNodes; offset += 3) {
        const page = await http.ok(queryGraph, { ...mode, limit: 3, offset });
        ids.push(...page.nodes.map(({ id }) => id));
        expect(page).toMatchObject({
          totalNodes: whole.totalNodes,
          totalEdges: whole.totalEdges,
          offset,
          limit: 3,
        });
        expect(page.truncated).toBe(offset + page.nodes.length < whole.totalNodes);
      }
      expect(ids).toEqual(whole.nodes.map(({ id }) => id));
    }
  });

  test("from a start node keep to their depth, at most 8, and always include the start", async () => {
    await edit({ file: "src/one.ts", text: "const alpha = 1;" });
    const project = await nodeNamed("shop", "project");
    const startNodeId = project?.id ?? "";
    const near = await http.ok(queryGraph, { startNodeId, maxDepth: 0 });
    expect(near).toMatchObject({ depth: 0, totalNodes: 1, totalEdges: 0, truncated: false });
    expect((await http.ok(queryGraph, { startNodeId, maxDepth: 99 })).depth).toBe(8);
    for (const [name, status] of [
      ["shop", 200],
      ["bank", 404],
    ] as const)
      expect((await http.reply(queryGraph, { startNodeId, project: name })).status).toBe(status);
    const files = await http.ok(queryGraph, { startNodeId, nodeType: "file" });
    expect(files.nodes.map(({ type }) => type)).toEqual(["project", "file"]);
  });

  test("by text return the exact name first, then prefixes, then other matches", async () => {
    for (const concept of ["the-cache", "cache-key", "cache"]) {
      await http.ok(remember, { content: `About ${concept}`, concepts: [concept] });
    }
    const { nodes } = await http.ok(queryGraph, { query: "CACHE" });
    expect(nodes.map(({ name }) => name)).toEqual(["cache", "cache-key", "the-cache"]);
  });

  test("are those of a project and of a type", async () => {
    await edit({ file: "src/heron.ts", text: "const heron = 1;" });
    await http.ok(remember, { content: "About herons", concepts: ["heron-count"], project: "bank" });
    const named = async (asked: Readonly<Record<string, unknown>>) => {
      const { nodes, totalNodes } = await http.ok(queryGraph, asked);
      expect(totalNodes).toBe(nodes.length);
      return nodes.map(({ type, name }) => `${type} ${name}`).sort();
    };
    expect(await named({ project: "bank" })).toEqual(["concept heron-count", "project bank"]);
    expect(await named({ project: "bank", nodeType: "concept" })).toEqual(["concept heron-count"]);
    expect(await named({ query: "heron", nodeType: "file" })).toEqual(["file src/heron.ts"]);
    expect(await named({ query: "heron", project: "bank" })).toEqual(["concept heron-count"]);
  });
});

describe("graph maintenance", () => {
  beforeEach(() => open());

  test("serves an unfiltered query from the snapshot until the graph changes", async () => {
    await edit();
    const live = await http.ok(queryGraph, {});
    expect(live.fromSnapshot).toBeUndefined();
    const rebuilt = await http.ok(rebuildSnapshot, {});
    expect(rebuilt).toMatchObject({ totalNodes: live.totalNodes, topNodes: live.totalNodes });
    const { fromSnapshot, ...served } = await http.ok(queryGraph, {});
    expect(fromSnapshot).toBe(true);
    expect(served).toEqual(live);
    const names = ({ nodes }: typeof live) => nodes.map(({ name }) => name);
    expect(names(await http.ok(queryGraph, { limit: 1 }))).toEqual(names(live).slice(0, 1));
    expect(names(await http.ok(queryGraph, { offset: 1 }))).toEqual(names(live).slice(1));
    expect((await http.ok(graphStats, {})).snapshot).toMatchObject({ nodes: live.totalNodes });
    await edit({ file: "src/new.ts" });
    const after = await http.ok(queryGraph, {});
    expect(after.fromSnapshot).toBeUndefined();
    expect(after.nodes.map(({ name }) => name)).toContain("src/new.ts");
    expect((await http.ok(listAudit, { operation: "graph_snapshot" })).total).toBe(1);
  });

  test("retakes the snapshot after ten minutes, if anything changed", async () => {
    await edit();
    expect(await http.core.graph.refreshSnapshot()).toBe(true);
    await edit({ file: "src/new.ts" });
    expect(await http.core.graph.refreshSnapshot()).toBe(false);
    http.advance(11 * 60_000);
    expect(await http.core.graph.refreshSnapshot()).toBe(true);
    http.advance(11 * 60_000);
    expect(await http.core.graph.refreshSnapshot()).toBe(false);
    http.advance(-60 * 60_000);
    await edit({ file: "src/newer.ts" });
    expect(await http.core.graph.refreshSnapshot()).toBe(true);
  });

  test("a reset empties the graph, and a rebuild restores the same graph", async () => {
    await edit({ text: 'import { z } from "zod";' });
    await edit({ file: "src/other.ts", project: "blog" });
    await fail("TypeError: x is undefined");
    const { memoryId } = await http.ok(remember, {
      content: "Sessions",
      project: "/w/shop",
      concepts: ["Session"],
    });
    await http.ok(evolve, { memoryId, newContent: "Sessions expire after a day" });
    const grown = await pictureOf();
    const stats = await http.ok(graphStats, {});
    const { cleared, rebuildQueued } = await http.ok(resetGraph, { rebuildStructural: true });
    expect(cleared).toMatchObject({ nodes: stats.nodes, edges: stats.edges });
    expect(rebuildQueued).toBe(true);
    expect(await http.ok(graphStats, {})).toMatchObject({
      nodes: 0,
      edges: 0,
      nodesByType: {},
      snapshot: null,
    });
    await http.runDueJobs();
    expect(await pictureOf()).toEqual(grown);
    const again = await http.ok(graphStats, {});
    expect({ ...again, updatedAt: "" }).toEqual({ ...stats, updatedAt: "" });
    await http.runDueJobs();
    expect(await pictureOf()).toEqual(grown);
    const { entries } = await http.ok(listAudit, { operation: "graph_reset" });
    expect(entries[0]?.details).toMatchObject({ nodes: stats.nodes, rebuildQueued: true });
  });

  test("after a reset without a rebuild the graph grows from new records only", async () => {
    await edit({ file: "src/old.ts" });
    await http.ok(resetGraph, {});
    await http.runDueJobs();
    await edit({ file: "src/new.ts" });
    const { nodes } = await http.ok(queryGraph, { nodeType: "file" });
    expect(nodes.map(({ name }) => name)).toEqual(["src/new.ts"]);
  });

  test("keeps node, edge and source counts correct when records are deleted", async () => {
    const first = await edit({ text: 'import { z } from "zod";' });
    await edit({ file: "src/other.ts" });
    await http.ok(forget, { sessionId: "of-shop", observationIds: [first] });
    const { sql } = http.core.ground.store.read;
    const counted = async (table: string) =>
      Number((await sql.values(`SELECT count(*) FROM ${table}`))[0]?.[0]);
    const stats = await http.ok(graphStats, {});
    expect(stats.nodes).toBe(await counted("graph_nodes"));
    expect(stats.edges).toBe(await counted("graph_edges"));
    const wrong = await sql.values(
      `SELECT n.id FROM graph_nodes AS n WHERE n.degree <> (SELECT count(*) FROM graph_edges WHERE source = n.key OR target = n.key)
         OR n.source_count <> (SELECT count(*) FROM graph_node_links WHERE node = n.key)`,
    );
    expect(wrong).toEqual([]);
  });
});

test("diagnostics find edges without a node and links to deleted records, and heal removes them", async () => {
  await open();
  await edit();
  const { sql } = http.core.ground.store.read;
  const whole = await http.ok(graphStats, {});
  await http.core.ground.store.write(async (tx) => {
    await tx.sql.run(
      `INSERT INTO graph_edges (key, id, source, target, type, structural, origin, stale, source_count, created_at, updated_at)
       VALUES (9999, 'ged_lost', 9998, 1, 'uses', 1, 'structural', 0, 0, 0, 0)`,
    );
    await tx.sql.run(
      "INSERT INTO graph_sources (key, kind, ref, structural, extracted) VALUES (9999, 'observation', 'obs_gone', 1, 0)",
    );
    for (const what of ["node", "edge"]) {
      await tx.sql.run(
        `INSERT INTO graph_${what}_links (${what}, source) SELECT min(key), 8888 FROM graph_${what}s`,
      );
      await tx.sql.run(
        `UPDATE graph_${what}s SET source_count = source_count + 1 WHERE key = (SELECT min(key) FROM graph_${what}s)`,
      );
      await tx.sql.run(
        `INSERT INTO graph_${what}_links (${what}, source) SELECT 7777, min(key) FROM graph_sources`,
      );
    }
  });
  const failing = async () => {
    const { checks } = await http.ok(diagnose, { categories: ["graph"] });
    return checks.filter(({ status }) => status === "fail").map(({ name }) => name);
  };
  expect(await failing()).toEqual(["dangling-edge", "dangling-link"]);
  const linked = (what: string) =>
    sql.values(`SELECT ${what}, source FROM graph_${what}_links ORDER BY 1, 2`);
  const links = [...(await linked("node")), ...(await linked("edge"))];
  await http.ok(heal, { categories: ["graph"] });
  expect(await failing()).toEqual([]);
  expect([...(await linked("node")), ...(await linked("edge"))]).toEqual(
    links.filter(([thing, source]) => thing !== 7777 && source !== 8888),
  );
  expect(
    await sql.values(
      "SELECT key FROM graph_nodes WHERE source_count <> (SELECT count(*) FROM graph_node_links WHERE node = key)",
    ),
  ).toEqual([]);
  expect(await sql.values("SELECT 1 FROM graph_edges WHERE key = 9999")).toEqual([]);
  expect(await http.ok(graphStats, {})).toEqual(whole);
});

test("the graph tables in the code match the migrations", async () => {
  await open();
  const migrations = readdirSync("drizzle")
    .filter((name) => name.endsWith(".sql"))
    .map((name) => readFileSync(`drizzle/${name}`, "utf8"))
    .join("\n");
  for (const statement of graphSchemaSql) expect(migrations).toContain(statement);
});

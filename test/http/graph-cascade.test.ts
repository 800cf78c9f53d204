import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { extractGraph } from "../../src/graph/model/operations.ts";
import { cascadeUpdate, graphStats, queryGraph } from "../../src/graph/operations.ts";
import { evolve, remember } from "../../src/knowledge/memories/operations.ts";
import {
  closeGraphPlace,
  entity,
  found,
  graphSteps,
  openGraphPlace,
  relation,
} from "../support/graph-layers.ts";
import type { TestHttp } from "../support/http.ts";
import type { ModelServer } from "../support/model-server.ts";

let model: ModelServer;
let http: TestHttp;
let folder: string;
const { audits, inTime, modelNodes, prompt } = graphSteps(() => http);
beforeEach(async () => {
  ({ folder, http, model } = await openGraphPlace());
});
afterEach(() => closeGraphPlace({ folder, http, model }));

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

  test("hides model-made nodes and edges that only the superseded memory's sources support", async () => {
    const id = await extracted();
    const other = await prompt("Groovy is also used for scripts");
    await inTime(extractGraph, { observations: [other] });
    const { memoryId } = await memory("Deploys go through Jenkins", [id, other]);
    await http.ok(evolve, { memoryId, newContent: "Deploys go through GitHub Actions now" });
    expect((await modelNodes()).map(({ name }) => name)).toEqual([]);
    expect(await http.ok(graphStats, {})).toMatchObject({ staleNodes: 2, staleEdges: 1 });
    expect((await http.ok(queryGraph, { query: "groovy", nodeType: "library" })).totalNodes).toBe(0);
  });

  test("keeps what another source supports, and a new source brings hidden nodes back", async () => {
    const id = await extracted();
    const { memoryId } = await memory("Deploys go through Jenkins", [id]);
    await http.ok(evolve, { memoryId, newContent: "Deploys go through GitHub Actions now" });
    expect(await modelNodes()).toEqual([]);
    await inTime(extractGraph, { observations: [await prompt("Jenkins came back")] });
    expect((await modelNodes()).map(({ name }) => name)).toContain("Jenkins");
  });

  test("flags siblings only in the same project, and of the same agent or no agent", async () => {
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

  test("counts a concept in upper and lower case as one shared concept", async () => {
    const about = async (content: string, concepts: string[]) =>
      (await http.ok(remember, { content, project: "shop", concepts })).memoryId;
    const memoryId = await about("Deploys go through Jenkins", ["CI", "deploy"]);
    await about("Nightly builds run at two", ["CI", "ci"]);
    await http.ok(evolve, { memoryId, newContent: "Deploys go through GitHub Actions now" });
    expect((await http.ok(cascadeUpdate, { supersededMemoryId: memoryId })).total).toBe(0);
  });

  test("flags sibling memories on request, and nothing more when repeated", async () => {
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

  test("flags siblings only once for concurrent requests", async () => {
    await memory("The pipeline needs a manual approval before production");
    const { memoryId } = await memory("Deploys go through Jenkins");
    await http.ok(evolve, { memoryId, newContent: "Deploys go through GitHub Actions now" });
    const asked = { supersededMemoryId: memoryId };
    const told = await Promise.all([1, 2, 3].map(() => http.ok(cascadeUpdate, asked)));
    expect(told.map(({ total }) => total).sort()).toEqual([0, 0, 1]);
    expect(await audits("cascade_update")).toHaveLength(1);
  });
});

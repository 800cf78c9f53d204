import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { compressFile } from "../../src/capture/files/operations.ts";
import { moveProject, separateProject } from "../../src/capture/projects/operations.ts";
import { addActionEdge, createAction, updateAction } from "../../src/coordination/actions/operations.ts";
import { createCheckpoint, resolveCheckpoint } from "../../src/coordination/checkpoints/operations.ts";
import { removeFacet, tagFacet } from "../../src/coordination/facets/operations.ts";
import { runRoutine, saveRoutine } from "../../src/coordination/routines/operations.ts";
import {
  cancelSentinel,
  checkSentinels,
  createSentinel,
  triggerSentinel,
} from "../../src/coordination/sentinels/operations.ts";
import { sendSignal } from "../../src/coordination/signals/operations.ts";
import {
  addToSketch,
  collectSketches,
  createSketch,
  discardSketch,
  promoteSketch,
} from "../../src/coordination/sketches/operations.ts";
import { listAudit } from "../../src/governance/audit/operations.ts";
import { migrate } from "../../src/governance/migration/operations.ts";
import { importGraph } from "../../src/graph/imported/operations.ts";
import { consolidatePipeline } from "../../src/knowledge/consolidation/operations.ts";
import { remember } from "../../src/knowledge/memories/operations.ts";
import { addPeer, removePeer, syncMesh } from "../../src/sharing/mesh/operations.ts";
import { exportVault } from "../../src/sharing/vault/operations.ts";
import { openTestHttp, type Sending, type TestHttp } from "../support/http.ts";
import { openModelServer } from "../support/model-server.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/* The agent in the audit entries of operations that are not scoped by agent: that of the caller. */

const hourMs = 3_600_000;
const secret = "correct-horse-battery-staple";
const paragraph =
  "Every worker takes one job at a time, and a job that fails is put back into the queue for later.";
const wordy = `# Queue\n\n${paragraph}\n\n\n\nShort.   \n\n${paragraph}\n\nShort.\n`;

let folder: string;
let http: TestHttp;
const open = (env: Readonly<Record<string, string>> = {}, home?: string) =>
  openTestHttp({
    ...(home === undefined ? {} : { home }),
    env: {
      AGENT_ID: "ann",
      MEMSVC_ALLOWED_ROOTS: folder,
      MEMSVC_SECRET: secret,
      MEMSVC_MESH_ALLOW_PRIVATE: "127.0.0.1",
      ...env,
    },
    authorized: true,
  });
const at = (name: string) => join(folder, name);

beforeEach(async () => {
  folder = temporaryFolder();
  http = await open();
});
afterEach(() => http.close());

/** The agents in the audit entries, by function id. */
async function named(from: TestHttp): Promise<Record<string, (string | undefined)[]>> {
  const { entries } = await from.ok(listAudit, { limit: 200 });
  const agentsOf = (name: string) =>
    entries.filter(({ functionId }) => functionId === name).map(({ agentId }) => agentId);
  return Object.fromEntries(
    entries.map(({ functionId }) => [functionId, [...new Set(agentsOf(functionId))]]),
  );
}

const all = (functions: readonly string[], agent: string) =>
  Object.fromEntries(functions.map((name) => [name, [agent]]));

async function coordinate(sending: Sending): Promise<void> {
  const { action } = await http.ok(createAction, { title: "Build it" }, sending);
  const { action: other } = await http.ok(createAction, { title: "Ship it" }, sending);
  const edge = { type: "requires", sourceActionId: other.id, targetActionId: action.id } as const;
  await http.ok(addActionEdge, edge, sending);
  await http.ok(updateAction, { actionId: action.id, priority: 9 }, sending);
  const { checkpoint } = await http.ok(createCheckpoint, { name: "Reviewed" }, sending);
  await http.ok(resolveCheckpoint, { checkpointId: checkpoint.id, status: "passed" }, sending);
  await http.ok(tagFacet, { targetId: action.id, dimension: "team", value: "till" }, sending);
  await http.ok(removeFacet, { targetId: action.id, dimension: "team" }, sending);
  const { routine } = await http.ok(saveRoutine, { name: "Release", steps: [{ title: "Tag" }] }, sending);
  await http.ok(runRoutine, { routineId: routine.id }, sending);
  const { sentinel } = await http.ok(createSentinel, { name: "Built" }, sending);
  await http.ok(triggerSentinel, { sentinelId: sentinel.id }, sending);
  const { sentinel: second } = await http.ok(createSentinel, { name: "Shipped" }, sending);
  await http.ok(cancelSentinel, { sentinelId: second.id }, sending);
  await http.ok(sendSignal, { from: "planner", content: "Ready" }, sending);
  const { sketch } = await http.ok(createSketch, { title: "A till" }, sending);
  await http.ok(addToSketch, { sketchId: sketch.id, title: "Draw it" }, sending);
  await http.ok(promoteSketch, { sketchId: sketch.id }, sending);
  const { sketch: idea } = await http.ok(createSketch, { title: "An idea" }, sending);
  await http.ok(discardSketch, { sketchId: idea.id }, sending);
  await http.ok(createSentinel, { name: "Soon", type: "timer", config: { durationMs: 1_000 } }, sending);
  http.advance(2_000);
  await http.ok(checkSentinels, {}, sending);
  await http.ok(createSketch, { title: "Left alone" }, sending);
  http.advance(2 * hourMs);
  await http.ok(collectSketches, {}, sending);
}

const coordination = [
  "action.create",
  "action.update",
  "action.edge",
  "checkpoint.create",
  "checkpoint.resolve",
  "facet.tag",
  "facet.remove",
  "routine.save",
  "routine.run",
  "sentinel.create",
  "sentinel.trigger",
  "sentinel.cancel",
  "sentinel.check",
  "signal.send",
  "sketch.create",
  "sketch.promote",
  "sketch.discard",
  "sketch.gc",
];

async function reachOut(sending: Sending): Promise<void> {
  await http.ok(remember, { content: "The till has four keys", project: at("shop") }, sending);
  await http.ok(moveProject, { from: at("shop"), to: at("store") }, sending);
  await http.ok(separateProject, { folder: at("store") }, sending);
  const { peer } = await http.ok(addPeer, { url: "http://127.0.0.1:9", name: "office" }, sending);
  await http.ok(syncMesh, { direction: "pull" }, sending);
  await http.ok(removePeer, { peerId: peer.id }, sending);
  await http.ok(exportVault, { vaultDir: at("vault") }, sending);
  writeFileSync(at("notes.md"), wordy);
  await http.ok(compressFile, { filePath: at("notes.md") }, sending);
  writeFileSync(at("graph.json"), JSON.stringify({ nodes: [{ id: "n1", label: "src/app.ts" }], links: [] }));
  await http.ok(importGraph, { path: at("graph.json"), project: "shop" }, sending);
  const other = await open();
  await other.ok(remember, { content: "Heron feeds at noon" });
  const { text } = await other.send("/export");
  await other.close();
  writeFileSync(at("whole.json"), text);
  await http.ok(migrate, { dbPath: at("whole.json") }, sending);
}

const reachingOut = [
  "project.move",
  "project.separate",
  "mesh.peer",
  "mesh.sync",
  "vault.export",
  "file.compress",
  "graph.import",
  "store.migrate",
];

describe.each([
  ["AGENT_ID when the caller has no agent", {}, "ann"],
  ["the caller's agent", { headers: { "x-memsvc-agent": "bob" } }, "bob"],
])("the agent in an audit entry is %s:", (_, sending, agent) => {
  test("for coordination", async () => {
    await coordinate(sending);
    expect(await named(http)).toMatchObject(all(coordination, agent));
  });

  test("for operations on files, folders and other stores", async () => {
    mkdirSync(at("shop"));
    await reachOut(sending);
    expect(await named(http)).toMatchObject(all(reachingOut, agent));
  });

  test("for a file that a model compresses in a job", async () => {
    const server = await openModelServer();
    const withModel = await open(server.env("anthropic"));
    server.answer(() => ({ kind: "json", value: { text: `# Queue\n\n${paragraph}\n` } }));
    writeFileSync(at("notes.md"), wordy);
    await withModel.ok(compressFile, { filePath: at("notes.md") }, sending);
    expect(await named(withModel)).toMatchObject(all(["file.compress"], agent));
    await withModel.close();
    await server.close();
  });
});

test("the audit entry of a job names the agent that queued it, whichever process runs it", async () => {
  await http.ok(remember, { content: "The till has four keys" });
  await http.ok(exportVault, { vaultDir: at("vault") });
  const { home } = http;
  await http.writeSql("UPDATE jobs SET status = 'queued', run_after = 0 WHERE kind = 'vault.export'");
  const next = await open({ AGENT_ID: "cat" }, home);
  await next.runDueJobs();
  const { entries } = await next.ok(listAudit, { operation: "vault_export" });
  await next.close();
  expect(entries.map(({ agentId }) => agentId)).toEqual(["ann", "ann"]);
});

describe("the audit entry names no agent when nobody asked:", () => {
  test("for a sweep of expired records", async () => {
    await http.ok(createSketch, { title: "Left alone" });
    await http.ok(createSentinel, { name: "Soon", type: "timer", config: { durationMs: 1_000 } });
    http.advance(2 * hourMs);
    await http.core.clockwork.sweep();
    expect(await named(http)).toMatchObject({ "sweep.expire": [undefined] });
  });

  test("for the automatic vault export", async () => {
    const auto = await open({ MEMSVC_VAULT_AUTO_EXPORT: at("vault") });
    await auto.ok(remember, { content: "The till has four keys" });
    await auto.ok(consolidatePipeline, { tier: "semantic" }, { headers: { "x-memsvc-agent": "bob" } });
    await auto.runDueJobs();
    expect(await named(auto)).toMatchObject({ "vault.export": [undefined] });
    await auto.close();
  });
});

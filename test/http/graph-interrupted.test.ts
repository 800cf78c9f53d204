import { afterEach, expect, test } from "vitest";
import { endSession } from "../../src/capture/sessions/operations.ts";
import { Core } from "../../src/core.ts";
import { listAudit } from "../../src/governance/audit/operations.ts";
import { buildGraph, extractGraph } from "../../src/graph/model/operations.ts";
import { queryGraph } from "../../src/graph/operations.ts";
import { JobWorker } from "../../src/jobs/worker.ts";
import { hourMs } from "../../src/time/durations.ts";
import { forEachTest } from "../support/for-each-test.ts";
import { openTestHttp, type TestHttp } from "../support/http.ts";
import { openModelServer } from "../support/model-server.ts";
import { happen } from "../support/workdays.ts";

/* Graph extraction by a model that is cut short by the call limit or by the shutdown of the daemon. */

const model = forEachTest(openModelServer);
let http: TestHttp;
afterEach(() => http.close());

async function open(env: Readonly<Record<string, string>>): Promise<void> {
  http = await openTestHttp({
    env: { GRAPH_EXTRACTION_ENABLED: "true", ...model.env("openai", "test-key"), ...env },
  });
}

/** Stores prompts that each name a library of their own, which the model then finds. */
async function prompts(count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let at = 1; at <= count; at += 1) {
    const data = { prompt: `We use library${at} now` };
    ids.push(await happen(http, "s1", "prompt_submit", data, { cwd: "/w/shop" }));
  }
  return ids;
}

function libraryIn(prompt: string): string {
  return /library\d/u.exec(prompt)?.[0] ?? "";
}

function findings({ prompt }: { readonly prompt: string }) {
  const names = [...new Set(prompt.match(/library\d/gu))];
  const entities = names.map((name) => ({ type: "library", name, properties: {}, aliases: [] }));
  return { kind: "json", value: { entities, relations: [] } } as const;
}

/** The statuses of the build jobs. */
async function builtJobs(): Promise<unknown[]> {
  const rows = await http.core.ground.store.read.sql.values(
    "SELECT status FROM jobs WHERE kind = 'graph.build' ORDER BY id",
  );
  return rows.map(([status]) => status);
}

/** The libraries that the model was asked about, call by call. */
const asked = () => model.seen.map(({ prompt }) => libraryIn(prompt));

test("a forced build stopped by the call limit continues where it was, also on a new request", async () => {
  await open({ MEMSVC_LLM_MAX_CALLS_PER_HOUR: "1", MEMSVC_SYNC_WAIT_MS: "20" });
  await prompts(4);
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  model.answer(async (request) => {
    await held;
    return findings(request);
  });
  const work = { batchSize: 1, force: true };
  expect((await http.reply(buildGraph, work)).status).toBe(202);
  release();
  await http.core.longRuns.settled();
  expect(asked()).toEqual(["library1"]);
  http.advance(hourMs);
  await http.runDueJobs();
  expect(asked()).toEqual(["library1", "library2"]);
  http.advance(hourMs);
  await http.reply(buildGraph, work);
  await http.core.longRuns.settled();
  expect(asked()).toEqual(["library1", "library2", "library3"]);
});

test("a build stopped by the call limit is queued and continues, with an audit entry per run", async () => {
  await open({ MEMSVC_LLM_MAX_CALLS_PER_HOUR: "1" });
  await prompts(3);
  model.answer(findings);
  const reply = await http.reply(buildGraph, { batchSize: 1 });
  expect([reply.status, reply.body]).toMatchObject([
    202,
    { queued: true, jobId: expect.stringMatching(/^job_/u) },
  ]);
  const builds = async () => (await http.ok(listAudit, { operation: "graph_build" })).entries;
  const kept = { nodesAdded: 1, observations: 1, jobId: reply.body.jobId };
  expect((await builds()).map(({ details }) => details)).toEqual([expect.objectContaining(kept)]);
  expect(await builtJobs()).toEqual(["queued"]);
  for (let hours = 0; hours < 3; hours += 1) {
    http.advance(hourMs);
    await http.runDueJobs();
  }
  expect(asked()).toEqual(["library1", "library2", "library3"]);
  expect((await builds()).map(({ details }) => details)).toEqual(
    Array(3).fill(expect.objectContaining(kept)),
  );
  expect(await builtJobs()).toEqual(["done"]);
});

test("an extraction cut short by the call limit is audited, and finished later", async () => {
  await open({ MEMSVC_GRAPH_BATCH_SIZE: "1", MEMSVC_LLM_MAX_CALLS_PER_HOUR: "6" });
  await prompts(4);
  model.answer((request) =>
    request.instructions.includes("knowledge graph") ? findings(request) : { kind: "status", status: 400 },
  );
  await http.ok(endSession, { sessionId: "s1" });
  const kept = async () =>
    (await http.ok(listAudit, { operation: "graph_extract" })).entries.map(
      ({ details }) => details.observations,
    );
  await http.runDueJobs();
  const [first = 0, ...others] = await kept();
  expect(others).toEqual([]);
  expect(first).toBeGreaterThan(0);
  expect(first).toBeLessThan(4);
  for (let hours = 0; hours < 3; hours += 1) {
    http.advance(hourMs);
    await http.runDueJobs();
  }
  expect((await kept()).reduce((sum: number, count) => sum + Number(count), 0)).toBe(4);
});

test("an extraction cut short by shutdown is finished by the next service", async () => {
  await open({
    MEMSVC_GRAPH_BATCH_SIZE: "1",
    MEMSVC_SYNC_WAIT_MS: "20",
    MEMSVC_LLM_MAX_CALLS_PER_HOUR: "0",
  });
  const observations = await prompts(3);
  model.answer((request) => (model.seen.length === 1 ? findings(request) : { kind: "never" }));
  expect((await http.reply(extractGraph, { observations })).status).toBe(202);
  while (model.seen.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
  await http.core.ground.llm.close();
  await http.core.longRuns.settled();
  const extracts = async () =>
    (await http.ok(listAudit, { operation: "graph_extract" })).entries.map(
      ({ details }) => details.observations,
    );
  expect(await extracts()).toEqual([1]);
  model.answer(findings);
  http.advance(1_000);
  const { settings } = http.core.ground;
  const next = await Core.open({ home: http.home, settings, now: http.now });
  await JobWorker.runDue(next.ground, next.jobHandlers());
  await next.close();
  const { nodes } = await http.ok(queryGraph, { nodeType: "library" });
  expect(nodes.map(({ name }) => name).sort()).toEqual(["library1", "library2", "library3"]);
  expect(await extracts()).toEqual([3, 1]);
});

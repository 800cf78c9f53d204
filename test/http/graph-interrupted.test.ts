import { afterEach, beforeEach, expect, test } from "vitest";
import { observe } from "../../src/capture/observations/operations.ts";
import { buildGraph } from "../../src/graph/model/operations.ts";
import { openTestHttp, type TestHttp } from "../support/http.ts";
import { type ModelServer, openModelServer } from "../support/model-server.ts";

/* What a model reads for the graph while a limit or the daemon's stop cuts it short. */

const hourMs = 3_600_000;

let model: ModelServer;
let http: TestHttp;
beforeEach(async () => {
  model = await openModelServer();
});
afterEach(async () => {
  await http.close();
  await model.close();
});

async function open(env: Readonly<Record<string, string>>): Promise<void> {
  http = await openTestHttp({
    env: { GRAPH_EXTRACTION_ENABLED: "true", ...model.env("openai", "test-key"), ...env },
  });
}

/** Each prompt names a library of its own, and the model finds the one that it is asked about. */
async function prompts(count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let at = 1; at <= count; at += 1) {
    http.advance(1_000);
    const { observationId } = await http.ok(observe, {
      sessionId: "s1",
      project: "shop",
      cwd: "/w/shop",
      hookType: "prompt_submit",
      timestamp: new Date(http.now()).toISOString(),
      data: { prompt: `We use library${at} now` },
    });
    ids.push(observationId);
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

/** The libraries that the model was asked about, call by call. */
const asked = () => model.seen.map(({ prompt }) => libraryIn(prompt));

test("a forced build that waits for a limit goes on where it stopped, also when it is asked for again", async () => {
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

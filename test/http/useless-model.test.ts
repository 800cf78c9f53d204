import { afterEach, expect, test } from "vitest";
import { endSession, listSessions } from "../../src/capture/sessions/operations.ts";
import { buildGraph } from "../../src/graph/model/operations.ts";
import { queryGraph } from "../../src/graph/operations.ts";
import { saveLesson } from "../../src/knowledge/lessons/operations.ts";
import { forEachTest } from "../support/for-each-test.ts";
import { openTestHttp, type TestHttp } from "../support/http.ts";
import { helpful } from "../support/model-answers.ts";
import { openModelServer, type Reply } from "../support/model-server.ts";
import { happen } from "../support/workdays.ts";

/* The cost of a model that answers every question uselessly: each answer has to be paid. */

const server = forEachTest(openModelServer);
let http: TestHttp;
afterEach(() => http.close());

const minuteMs = 60_000;
const features = { CONSOLIDATION_ENABLED: "true", GRAPH_EXTRACTION_ENABLED: "true" } as const;

async function open(env: Readonly<Record<string, string>> = {}): Promise<void> {
  http = await openTestHttp({ env: { ...server.env("openai"), ...features, ...env } });
}

async function session(sessionId: string, prompts = 2): Promise<void> {
  for (let at = 0; at < prompts; at += 1)
    await say(sessionId, `We decided that mail ${at} of ${sessionId} waits for its backoff`);
  await http.ok(endSession, { sessionId });
}

const say = (sessionId: string, prompt: string) =>
  happen(http, sessionId, "prompt_submit", { prompt }, { cwd: "/w/shop" });

async function minutes(count: number): Promise<void> {
  for (let at = 0; at < count; at += 1) {
    http.advance(minuteMs);
    await http.runDueJobs();
  }
}

test.each<[string, Reply, Record<string, string>]>([
  ["is not JSON", { kind: "text", text: "I would rather not" }, {}],
  ["times out", { kind: "never" }, { MEMSVC_LLM_TIMEOUT_MS: "100" }],
  ["breaks off", { kind: "cut" }, {}],
])("background work stops asking the model when the answer %s", async (_, reply, env) => {
  await open(env);
  for (const content of ["Mail waits for backoff", "Backoff of mail doubles", "A mail backoff has a limit"])
    await http.ok(saveLesson, { content, project: "shop", tags: ["mail", "backoff"] });
  for (const sessionId of ["one", "two", "three"]) await session(sessionId);
  server.answer(reply);
  await minutes(15);
  const asked = server.seen.length;
  await minutes(15);
  expect(server.seen.length).toBe(asked);
  const times = new Map<string, number>();
  for (const { instructions, prompt } of server.seen)
    times.set(instructions + prompt, (times.get(instructions + prompt) ?? 0) + 1);
  expect(Math.max(...times.values())).toBeLessThanOrEqual(2);
  const { sessions } = await http.ok(listSessions, {});
  expect(sessions.map(({ summaryDetail }) => summaryDetail?.provider)).toEqual(Array(3).fill("extractive"));
});

test("a batch that failed at a session's stop is not retried at later stops, but by a build", async () => {
  await open({ MEMSVC_GRAPH_BATCH_SIZE: "2", CONSOLIDATION_ENABLED: "false" });
  server.answer(({ prompt }) =>
    prompt.includes("mail 1 of one")
      ? { kind: "text", text: "I would rather not" }
      : { kind: "json", value: { entities: [], relations: [] } },
  );
  const askedInVain = () =>
    server.seen.filter(
      ({ instructions, prompt }) =>
        instructions.includes("knowledge graph") && prompt.includes("mail 1 of one"),
    ).length;
  await session("one");
  await minutes(15);
  const first = askedInVain();
  expect(first).toBeGreaterThan(0);
  for (let stop = 1; stop <= 3; stop += 1) {
    await session("one", 2);
    await minutes(15);
  }
  expect(askedInVain()).toBe(first);
  await http.ok(buildGraph, { batchSize: 1 });
  expect(askedInVain()).toBeGreaterThan(first);
});

test("a graph extraction that fails with a 503 at a session's stop is retried", async () => {
  await open({ CONSOLIDATION_ENABLED: "false" });
  let asked = 0;
  server.answer((request) => {
    if (!request.instructions.includes("knowledge graph")) return helpful(request);
    asked += 1;
    return asked === 1
      ? { kind: "status", status: 503 }
      : { kind: "json", value: { entities: [{ type: "concept", name: "Backoff of mails" }], relations: [] } };
  });
  await session("one");
  await minutes(15);
  expect(asked).toBe(2);
  const { nodes } = await http.ok(queryGraph, { query: "Backoff of mails" });
  expect(nodes.map(({ name }) => name)).toContain("Backoff of mails");
});

test("automatic consolidation does not repeat useless questions to a model that can summarise", async () => {
  await open({ GRAPH_EXTRACTION_ENABLED: "false" });
  for (const content of ["Mail waits for backoff", "Backoff of mail doubles", "A mail backoff has a limit"])
    await http.ok(saveLesson, { content, project: "shop", tags: ["mail", "backoff"] });
  server.answer((request) =>
    request.instructions.startsWith("You summarise")
      ? helpful(request)
      : { kind: "text", text: "I would rather not" },
  );
  const inVain = () => server.seen.filter(({ instructions }) => !instructions.startsWith("You summarise"));
  const run = async () => {
    await minutes(15);
    await say("one", "What does it look like?");
    http.advance(minuteMs);
    await http.core.consolidations.distilActive();
    await http.runDueJobs();
  };
  const askedFor = (beginning: string) =>
    inVain().filter(({ instructions }) => instructions.startsWith(beginning)).length;
  await session("one", 4);
  await run();
  await run();
  expect(askedFor("You find what")).toBe(2);
  expect(askedFor("You distil one")).toBeGreaterThan(0);
  const asked = inVain().length;
  for (let again = 1; again <= 3; again += 1) await run();
  expect(inVain().length).toBe(asked);
});

test("a graph build by a useless model ends with a 502", async () => {
  await open({ MEMSVC_GRAPH_BATCH_SIZE: "1" });
  await session("one", 4);
  server.answer({ kind: "text", text: "I would rather not" });
  expect((await http.reply(buildGraph, { batchSize: 1 })).status).toBe(502);
  expect(server.seen).toHaveLength(3);
});

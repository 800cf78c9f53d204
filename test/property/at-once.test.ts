import { cpSync, mkdtempSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { diagnose } from "../../src/governance/diagnostics/operations.ts";
import { catalogue } from "../../src/operation/catalogue.ts";
import { smartSearch } from "../../src/recall/search/operations.ts";
import { openTestHttp, type TestHttp } from "../support/http.ts";
import { sharedFolder } from "../support/temporary-folder.ts";
import { contents } from "./contents.ts";

/*
 * Concurrent requests share a commit, and each sees what the ones before it in that commit have
 * written: three equal ones give the same answers, records and search results as three in a row.
 */

type Input = Readonly<Record<string, unknown>>;

const env = { MEMSVC_SLOTS: "true", MEMSVC_TEAM_ID: "core", MEMSVC_USER_ID: "ann" };
const project = "shop";
const place = { project, cwd: "/w/shop" };
const folder = sharedFolder();
const seeded = join(folder, "seeded");
const ids = { session: "s1", observation: "", memory: "", other: "", lesson: "" };
const work = { action: "", next: "", leased: "", checkpoint: "", sentinel: "", sketch: "", routine: "" };

beforeAll(async () => {
  const http = await openTestHttp({ home: seeded, env });
  const made = async (operation: string, input: Input, field: string) =>
    String(Object(Object((await ask(http, operation, input)).body)[field]).id);
  await ask(http, "sessions.start", { sessionId: "s1", ...place });
  ids.observation = await observed(http, "we always keep prices in cents");
  await observed(http, "why does the cart round them");
  for (const name of ["memory", "other"] as const)
    ids[name] = await made("memories.remember", { content: `the ${name} herons nest`, project }, "memory");
  ids.lesson = await made("lessons.save", { content: "never wake a heron", project }, "lesson");
  await ask(http, "slots.create", { label: "notes", content: "a line", project });
  await ask(http, "facets.tag", { targetId: ids.memory, dimension: "area", value: "nests" });
  for (const name of ["action", "next", "leased"] as const)
    work[name] = await made("actions.create", { title: `build ${name}`, project }, "action");
  await ask(http, "leases.acquire", { actionId: work.leased, agentId: "ann" });
  work.checkpoint = await made("checkpoints.create", { name: "review" }, "checkpoint");
  work.sentinel = await made("sentinels.create", { name: "watch" }, "sentinel");
  work.sketch = await made("sketches.create", { title: "plan", project }, "sketch");
  work.routine = await made("routines.save", { name: "release", steps: [{ title: "build" }] }, "routine");
  await http.close();
});

const requests: readonly (readonly [string, () => Input])[] = [
  ["sessions.start", () => ({ sessionId: "s2", ...place, title: "a new one" })],
  ["sessions.end", () => ({ sessionId: ids.session })],
  ["observations.observe", () => event("the same event")],
  ["commits.link", () => ({ sha: "abcdef1234567", sessionId: ids.session })],
  ["summaries.summarize", () => ({ sessionId: ids.session })],
  ["memories.remember", () => ({ content: "queues are kept in redis", project })],
  ["memories.remember", () => ({ content: "the memory herons nest", project })],
  ["memories.evolve", () => ({ memoryId: ids.memory, newContent: "the herons have gone" })],
  ["memories.forget", () => ({ memoryId: ids.memory })],
  ["memories.forget", () => ({ sessionId: ids.session, includeSession: true })],
  ["governance.delete", () => ({ memoryIds: [ids.memory, ids.other] })],
  ["relations.create", () => ({ sourceId: ids.memory, targetId: ids.other, type: "related" })],
  ["lessons.save", () => ({ content: "always count the eggs", project })],
  ["lessons.strengthen", () => ({ lessonId: ids.lesson })],
  ["slots.create", () => ({ label: "fresh", content: "c", project })],
  ["slots.append", () => ({ label: "notes", text: "one more", project })],
  ["slots.replace", () => ({ label: "notes", content: "another", project })],
  ["facets.tag", () => ({ targetId: ids.other, dimension: "area", value: "nests" })],
  ["facets.remove", () => ({ targetId: ids.memory, dimension: "area" })],
  ["actions.edge", () => ({ sourceActionId: work.action, targetActionId: work.next, type: "requires" })],
  ["actions.update", () => ({ actionId: work.action, status: "done", result: "built" })],
  ["leases.acquire", () => ({ actionId: work.action, agentId: "bob" })],
  ["leases.release", () => ({ actionId: work.leased, agentId: "ann", result: "built" })],
  ["checkpoints.resolve", () => ({ checkpointId: work.checkpoint, status: "passed" })],
  ["sentinels.trigger", () => ({ sentinelId: work.sentinel })],
  ["sketches.promote", () => ({ sketchId: work.sketch })],
  ["routines.run", () => ({ routineId: work.routine, project })],
  ["team.share", () => ({ itemId: ids.memory, itemType: "memory" })],
];

test.each(requests)(
  "three concurrent calls of %s have the same effect as three in a row",
  async (operation, input) => {
    const outcome = async (send: (http: TestHttp) => Promise<{ status: number; text: string }[]>) => {
      const home = mkdtempSync(join(folder, "home-"));
      cpSync(seeded, home, { recursive: true });
      const http = await openTestHttp({ home, env });
      try {
        const answers = await send(http);
        const { checks } = await http.ok(diagnose, {});
        const { results } = await http.ok(smartSearch, { query: "herons nest redis queues eggs" });
        const left = { answers: answers.map(({ status, text }) => `${status} ${text}`), results };
        const sound = checks.every(({ status }) => status !== "fail");
        return { sound, ...comparable({ ...left, ...(await contents(http)) }) };
      } finally {
        await http.close();
      }
    };
    const inTurn = await outcome(async (http) => [
      await ask(http, operation, input()),
      await ask(http, operation, input()),
      await ask(http, operation, input()),
    ]);
    const atOnce = await outcome((http) => Promise.all([1, 2, 3].map(() => ask(http, operation, input()))));
    expect(atOnce).toEqual(inTurn);
    expect(inTurn).toMatchObject({
      sound: true,
      answers: expect.arrayContaining([expect.stringMatching(/^"20/u)]),
    });
  },
);

function event(prompt: string): Input {
  const data = { prompt };
  return { sessionId: "s1", ...place, hookType: "prompt_submit", timestamp: "2026-03-01T11:00:00Z", data };
}

async function observed(http: TestHttp, prompt: string): Promise<string> {
  return String((await ask(http, "observations.observe", event(prompt))).body.observationId);
}

function ask(http: TestHttp, id: string, input: Input) {
  const operation = catalogue.find((one) => one.id === id);
  if (operation === undefined) throw new Error(`there is no operation ${id}`);
  return http.reply(operation, input);
}

/** Removes generated ids, and the order that depends on them. */
function comparable(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const text = JSON.stringify(value).replaceAll(/\b([a-z]{3,4})_[0-9a-z]{26}\b/gu, "$1_…");
  return JSON.parse(text, (_name, inner: unknown) =>
    Array.isArray(inner) ? inner.map((one) => JSON.stringify(one)).sort() : inner,
  ) as Record<string, unknown>;
}

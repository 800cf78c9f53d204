import { expect, test } from "vitest";
import { remember } from "../../src/knowledge/memories/operations.ts";
import { getProfile } from "../../src/knowledge/profiles/operations.ts";
import { hourMs } from "../../src/time/durations.ts";
import { forEachTest } from "../support/for-each-test.ts";
import { openTestHttp } from "../support/http.ts";
import { type HookType, happen } from "../support/workdays.ts";

const project = "/home/dev/shop";
const many = (count: number) => Array.from({ length: count }, (_, at) => at + 1);

const http = forEachTest(openTestHttp);

const happened = (sessionId: string, hookType: HookType, data: Readonly<Record<string, unknown>>) =>
  happen(http, sessionId, hookType, data, { project, cwd: project });
const ran = (sessionId: string, command: string) =>
  happened(sessionId, "post_tool_use", {
    toolName: "Bash",
    toolInput: { command },
    toolOutput: { exitCode: 0, stdout: `${http.now()}` },
  });

test("a profile lists up to fifteen concepts and files, ten errors and ten sessions", async () => {
  for (const n of many(11)) {
    await happened(`s${n}`, "prompt_submit", { prompt: `#topic${n} #matter${n}` });
    await happened(`s${n}`, "post_tool_failure", {
      toolName: "Read",
      toolInput: { file_path: `a${n}.ts`, path: `b${n}.ts` },
      error: `Error: lost ${"x".repeat(n)}`,
    });
  }
  const profile = await http.ok(getProfile, { project });
  expect(profile.topConcepts).toHaveLength(15);
  expect(profile.topFiles).toHaveLength(15);
  expect(profile.commonErrors).toHaveLength(10);
  expect(profile.recentActivity).toHaveLength(10);
  expect(profile.sessionCount).toBe(11);
  expect(profile.summary).toMatch(
    /^11 sessions with 22 observations; mainly about (?:\w+, ){4}\w+; most active files (?:\S+, ){2}\S+\.$/u,
  );
});

test("a profile lists up to ten conventions, five of them from the strongest preferences", async () => {
  for (const n of many(6)) await http.ok(remember, { content: `Habit${n}00`, type: "preference", project });
  for (const n of many(6)) for (const _ of many(3)) await ran("s1", `npm run build:part${n}`);
  const { conventions } = await http.ok(getProfile, { project });
  expect(conventions).toHaveLength(10);
  expect(conventions.filter((convention) => convention.startsWith("Habit"))).toHaveLength(5);
  expect(conventions.slice(5).every((convention) => convention.includes("is run often (3×)"))).toBe(true);
});

test("a profile takes concepts and files from the newest fifty sessions", async () => {
  const files = async () => (await http.ok(getProfile, { project, refresh: true })).topFiles.length;
  const read = (sessionId: string, file: string) =>
    happened(sessionId, "post_tool_use", { toolName: "Read", toolInput: { file_path: file } });
  await read("first", "old.ts");
  for (const n of many(49)) await read(`s${n}`, "new.ts");
  expect(await files()).toBe(2);
  await read("s50", "new.ts");
  expect(await files()).toBe(1);
});

test("a profile is cached for an hour and no longer", async () => {
  await ran("s1", "npm test");
  const cached = async () => (await http.ok(getProfile, { project })).cached;
  expect(await cached()).toBe(false);
  http.advance(hourMs - 1);
  expect(await cached()).toBe(true);
  http.advance(1);
  expect(await cached()).toBe(false);
});

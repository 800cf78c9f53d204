import { describe, expect, test } from "vitest";
import { observe } from "../../src/capture/observations/operations.ts";
import { saveLesson } from "../../src/knowledge/lessons/operations.ts";
import { evolve, forget, remember } from "../../src/knowledge/memories/operations.ts";
import { findPatterns, generateRules } from "../../src/knowledge/patterns/operations.ts";
import { dayMs } from "../../src/time/durations.ts";
import { forEachTest } from "../support/for-each-test.ts";
import { dumpStore, openTestHttp } from "../support/http.ts";

const http = forEachTest(openTestHttp);
let events = 0;

type Fields = Readonly<Record<string, unknown>>;

async function happened(sessionId: string, hookType: string, data: Fields, fields: Fields = {}, from = http) {
  events += 1;
  from.advance(1_000);
  const timestamp = new Date(Date.parse("2026-03-01T10:00:00Z") + events * 1_000).toISOString();
  const event = { sessionId, project: "shop", cwd: "/w/shop", hookType, timestamp, ...fields };
  return from.ok(observe, { ...event, data });
}

async function edited(sessionId: string, files: readonly string[], fields: Fields = {}, from = http) {
  for (const file_path of files) {
    const tool_input = { file_path, old_string: `a${events}`, new_string: "b" };
    await happened(sessionId, "post_tool_use", { tool_name: "Edit", tool_input }, fields, from);
  }
}

async function ran(sessionId: string, ...commands: string[]) {
  for (const [command = "", exit] of commands.map((text) => text.split(" # "))) {
    const tool_output = { exitCode: Number(exit ?? 0), stdout: `${events}` };
    await happened(sessionId, "post_tool_use", { tool_name: "Bash", tool_input: { command }, tool_output });
  }
}

async function failed(sessionId: string, error: string) {
  const tool_input = { command: `make ${events}` };
  await happened(sessionId, "post_tool_failure", { tool_name: "Bash", tool_input, error });
}

async function patterns(fields: Fields = { project: "shop" }, from = http) {
  return (await from.ok(findPatterns, fields)).patterns;
}

describe("patterns", () => {
  test("are files changed together in three sessions or more", async () => {
    for (const session of ["s1", "s2", "s3"])
      await edited(session, ["src/b.ts", "src/a.ts", `src/${session}.ts`]);
    // Often changed each, but only once together.
    await edited("s4", ["src/a.ts", "src/c.ts"]);
    for (const session of ["s5", "s6"]) await edited(session, ["src/c.ts"]);
    expect(await patterns()).toEqual([
      {
        type: "co_change",
        description: "src/a.ts and src/b.ts are changed together",
        files: ["src/a.ts", "src/b.ts"],
        frequency: 3,
        sessions: ["s3", "s2", "s1"],
      },
    ]);
  });

  test("are errors with the same title twice, in any case and with any numbers", async () => {
    await failed("s1", "Port 3111 taken");
    expect(await patterns()).toEqual([]);
    await failed("s2", "port 80 Taken");
    expect(await patterns()).toMatchObject([{ type: "error_repeat", frequency: 2, sessions: ["s2", "s1"] }]);
    expect((await patterns())[0]?.description).toMatch(/port 80 Taken/u);
    for (const session of ["s1", "s2"])
      await failed(session, "The user doesn't want to proceed with this tool use. The tool use was rejected");
    expect(await patterns()).toHaveLength(1);
    const edit = { tool_name: "Edit", tool_input: { file_path: "src/a.ts" }, error: "disk full" };
    for (const session of ["s3", "s4"]) await happened(session, "post_tool_failure", edit);
    expect((await patterns()).map(({ files }) => files)).toContainEqual(["src/a.ts"]);
  });

  test("are two or three successful commands in a row, in three sessions", async () => {
    for (const session of ["s1", "s2", "s3"])
      await ran(session, "npm test -- --run", "git commit -m x", "git push");
    await ran("s4", "npm test", "git commit -m y # 1", "git push");
    expect((await patterns()).map(({ description, frequency }) => [description, frequency])).toEqual([
      ["git commit → git push", 3],
      ["npm test → git commit", 3],
      ["npm test → git commit → git push", 3],
    ]);
  });

  test("name what Python runs as a module, what a shell was prepared for, and goals behind options", async () => {
    for (const session of ["s1", "s2", "s3"])
      await ran(session, ". venv/bin/activate && python3 -m pytest", "(cd api && ./mvnw -q package)");
    expect((await patterns()).map(({ description }) => description)).toEqual(["pytest → mvnw package"]);
  });

  test("do not come from calls that were started but never completed", async () => {
    const begins = (session: string, tool_name: string, tool_input: Fields) =>
      happened(session, "pre_tool_use", { tool_name, tool_input });
    for (const session of ["s1", "s2", "s3"]) {
      await edited(session, ["src/a.ts"]);
      await begins(session, "Edit", { file_path: "src/refused.ts", old_string: "a", new_string: "b" });
      await ran(session, "npm test");
      await begins(session, "Bash", { command: "git push" });
      await failed(session, `fatal: no upstream ${"x".repeat(events)}`);
    }
    expect(await patterns()).toEqual([]);
  });

  test("name the commands that ran, even when a model has rewritten the titles", async () => {
    for (const session of ["s1", "s2", "s3"]) await ran(session, "npm test", "git push");
    await ran("s1", "make # 1", "git push");
    await http.writeSql("UPDATE observations SET compression = 'llm', title = 'Went on'");
    expect((await patterns()).map(({ description }) => description)).toEqual(["npm test → git push"]);
  });

  test("are sorted by frequency and limited to 20", async () => {
    const files = Array.from({ length: 8 }, (_, at) => `f${at}.ts`);
    for (const session of ["s1", "s2", "s3"]) await edited(session, files);
    await edited("s4", ["f1.ts", "f2.ts"]);
    const found = await patterns();
    expect(found).toHaveLength(20);
    expect(found[0]).toMatchObject({ files: ["f1.ts", "f2.ts"], frequency: 4 });
  });

  test("name the newest twenty of their sessions and count all", async () => {
    const sessions = Array.from({ length: 21 }, (_, at) => `s${at}`);
    for (const session of sessions) await failed(session, "no rule to make target");
    expect(await patterns()).toMatchObject([{ frequency: 21, sessions: sessions.slice(1).reverse() }]);
  });

  test("use the fifty most touched files of each session", async () => {
    const work = async (project: string, others: number) => {
      for (const session of ["s1", "s2", "s3"]) {
        const often = ["a.ts", ...Array.from({ length: others }, (_, at) => `${session}-${at}.ts`)];
        const parts = [0, 20, 40].map((from) => often.slice(from, from + 20));
        for (const files of [...parts, ...parts, ["b.ts"]])
          await happened(
            `${project}-${session}`,
            "post_tool_use",
            { tool_name: "Edit", tool_input: { files, new_string: `${events}` } },
            { project },
          );
      }
      return (await patterns({ project })).map(({ files }) => files);
    };
    expect(await work("within", 48)).toEqual([["a.ts", "b.ts"]]);
    expect(await work("beyond", 49)).toEqual([]);
  });

  test("are limited to a project when one is named", async () => {
    for (const session of ["s1", "s2", "s3"])
      await edited(session, ["a.ts", "b.ts"], { project: "bank", cwd: "/w/bank" });
    expect(await patterns()).toEqual([]);
    expect(await patterns({ project: "/w/bank" })).toHaveLength(1);
    expect(await patterns({})).toHaveLength(1);
    expect(await patterns({ project: "nowhere" })).toEqual([]);
  });

  test("change at once with new and forgotten observations", async () => {
    for (const session of ["s1", "s2"]) await edited(session, ["a.ts", "b.ts"]);
    expect(await patterns()).toEqual([]);
    await edited("s3", ["a.ts", "b.ts"]);
    expect(await patterns()).toHaveLength(1);
    await http.ok(forget, { sessionId: "s2" });
    expect(await patterns()).toEqual([]);
  });

  test("in isolated scope come only from the agent's own sessions", async () => {
    const isolated = await openTestHttp({ env: { MEMSVC_AGENT_SCOPE: "isolated" } });
    for (const session of ["s1", "s2", "s3"])
      await edited(session, ["a.ts", "b.ts"], { agentId: "a" }, isolated);
    expect(await patterns({ agentId: "a" }, isolated)).toHaveLength(1);
    expect(await patterns({ agentId: "b" }, isolated)).toEqual([]);
    expect((await isolated.reply(findPatterns, {})).status).toBe(400);
    expect((await isolated.reply(generateRules, {})).status).toBe(400);
    await isolated.close();
  });

  test("with an invalid project are a 400, and finding them stores nothing", async () => {
    await edited("s1", ["a.ts"]);
    const before = await dumpStore(http);
    expect((await http.reply(findPatterns, { project: " " })).status).toBe(400);
    expect((await http.reply(findPatterns, { project: 5 })).status).toBe(400);
    await http.ok(findPatterns, {});
    await http.ok(generateRules, {});
    expect(await dumpStore(http)).toBe(before);
  });
});

describe("generated rules", () => {
  test("come from file pairs, errors, lessons and preferences, in this order, with their sources", async () => {
    for (const session of ["s1", "s2", "s3", "s4"]) await edited(session, ["a.ts", "b.ts"]);
    for (const session of ["s1", "s2", "s3"]) await edited(session, ["c.ts", "d.ts"]);
    for (const session of ["s1", "s2", "s3"]) await failed(session, "no rule to make target");
    for (const session of ["s1", "s2"]) await failed(session, "twice is not enough");
    const content = "Copy first,\nthen migrate.\n\nA copy is one command: `make copy`.";
    const { lesson } = await http.ok(saveLesson, { content, confidence: 0.7 });
    await http.ok(saveLesson, { content: "not so sure", confidence: 0.69 });
    const { memoryId } = await http.ok(remember, {
      content: "Use tabs",
      type: "preference",
      project: "shop",
    });
    const latest = await http.ok(evolve, { memoryId, newContent: "Use spaces", newTitle: "Use spaces" });
    await http.ok(remember, { content: "a plain fact", project: "shop" });
    await http.ok(remember, { content: "of the bank", type: "preference", project: "bank" });
    const { rules, sources } = await http.ok(generateRules, { project: "shop" });
    expect(rules[0]).toBe("When you change a.ts, look at b.ts too.");
    expect(rules[1]).toMatch(/^Avoid this error, which came up 3 times: .*no rule to make target/u);
    expect(rules.slice(2)).toEqual([
      "Copy first, then migrate. A copy is one command: `make copy`.",
      "Use spaces",
    ]);
    expect(sources).toEqual([
      { kind: "co_change", frequency: 4 },
      { kind: "error_repeat", frequency: 3 },
      { kind: "lesson", id: lesson.id, frequency: 1 },
      { kind: "preference", id: latest.memoryId, frequency: 1 },
    ]);
  });

  test("include valid preferences of the asking agent, strongest first", async () => {
    const isolated = await openTestHttp({ env: { MEMSVC_AGENT_SCOPE: "isolated" } });
    const prefer = async (content: string, fields: Fields = {}) => {
      const preference = { content, type: "preference", project: "shop", agentId: "ann" } as const;
      await isolated.ok(remember, { ...preference, ...fields });
      isolated.advance(dayMs);
    };
    await prefer("Use spaces");
    await prefer("Write less", { project: undefined });
    await prefer("Deploy at night", { ttlDays: 30 });
    await prefer("Freeze until Monday", { ttlDays: 0.5 });
    await prefer("Use tabs", { agentId: "bob" });
    const { rules } = await isolated.ok(generateRules, { project: "shop", agentId: "ann" });
    expect(rules).toEqual(["Deploy at night", "Write less", "Use spaces"]);
    await isolated.close();
  });

  test("show the current text of a changed preference instead of its old title", async () => {
    const { memoryId } = await http.ok(remember, { content: "Use tabs", type: "preference" });
    await http.ok(evolve, { memoryId, newContent: "Use spaces" });
    expect((await http.ok(generateRules, {})).rules).toEqual(["Use spaces"]);
  });

  test("say once what several agents, projects or kinds of records say", async () => {
    for (const agentId of ["a", "b", "c"])
      await http.ok(saveLesson, { content: "Use tabs", confidence: 0.9, agentId });
    const { lesson } = await http.ok(saveLesson, { content: "use TABS", confidence: 1 });
    for (const project of ["shop", "bank"]) {
      await http.ok(remember, { content: "Use tabs", type: "preference", project });
      await http.ok(remember, { content: "Write less", type: "preference", project });
    }
    const { rules, sources } = await http.ok(generateRules, {});
    expect(rules).toEqual(["use TABS", "Write less"]);
    expect(sources).toEqual([
      { kind: "lesson", id: lesson.id, frequency: 1 },
      { kind: "preference", id: expect.any(String), frequency: 1 },
    ]);
  });

  test("leave out preferences that decayed below one half", async () => {
    await http.ok(remember, { content: "Use tabs", type: "preference" });
    expect((await http.ok(generateRules, {})).rules).toEqual(["Use tabs"]);
    http.advance(505 * dayMs);
    expect((await http.ok(generateRules, {})).rules).toEqual(["Use tabs"]);
    http.advance(2 * dayMs);
    expect((await http.ok(generateRules, {})).rules).toEqual([]);
  });

  test("are limited to 30, and many of one kind leave room for the others", async () => {
    for (let at = 0; at < 40; at += 1)
      await http.ok(saveLesson, { content: `lesson number ${at}`, confidence: 0.9 });
    for (let at = 0; at < 8; at += 1)
      await http.ok(remember, { content: `Habit${at}00`, type: "preference" });
    const { rules, sources } = await http.ok(generateRules, {});
    expect([rules.length, sources.length]).toEqual([30, 30]);
    expect(sources.filter(({ kind }) => kind === "preference")).toHaveLength(7);
  });
});

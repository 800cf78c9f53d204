import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startSession } from "../../src/capture/sessions/operations.ts";
import { createAction, updateAction } from "../../src/coordination/actions/operations.ts";
import { listAudit } from "../../src/governance/audit/operations.ts";
import { deleteMemories } from "../../src/governance/deletion/operations.ts";
import { importStore } from "../../src/governance/transfer/operations.ts";
import { consolidatePipeline } from "../../src/knowledge/consolidation/operations.ts";
import { createCrystal } from "../../src/knowledge/crystals/operations.ts";
import { deleteLesson, saveLesson } from "../../src/knowledge/lessons/operations.ts";
import { evolve, forget, listMemories, remember } from "../../src/knowledge/memories/operations.ts";
import { relate } from "../../src/knowledge/memories/relations/operations.ts";
import { summarizeSession } from "../../src/knowledge/summaries/operations.ts";
import { exportObsidian, exportVault } from "../../src/sharing/vault/operations.ts";
import { openTestHttp, type TestHttp } from "../support/http.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { happenNow } from "../support/workdays.ts";

let http: TestHttp;
let folder: string;
beforeEach(async () => {
  folder = temporaryFolder();
  http = await openTestHttp({ env: { MEMSVC_ALLOWED_ROOTS: folder } });
});
afterEach(() => http.close());

const vault = () => join(folder, "vault");
const place = (kind: string) => join(vault(), "memsvc", kind);
const names = (kind: string) => readdirSync(place(kind)).sort();

/** The texts of the notes of a kind, in the order of their names. */
function notes(kind: string): string[] {
  return names(kind).map((name) => readFileSync(join(place(kind), name), "utf8"));
}

async function exported(fields: Readonly<Record<string, unknown>> = {}) {
  const answer = await http.ok(exportVault, { vaultDir: vault(), ...fields });
  if ("queued" in answer) throw new Error("the export did not end in time");
  return answer;
}

async function remembered(content: string, fields: Readonly<Record<string, unknown>> = {}) {
  return (await http.ok(remember, { content, ...fields })).memoryId;
}

describe("a vault export", () => {
  test("writes a note per latest memory, lesson, crystal and summarised session, and an index", async () => {
    const session = { sessionId: "work-on-the-till", project: "shop", cwd: "/w/shop" };
    await http.ok(startSession, session);
    await happenNow(http, session.sessionId, "prompt_submit", { prompt: "round it" }, session);
    await http.ok(summarizeSession, { sessionId: session.sessionId });
    const first = await remembered("Round once", {
      project: "shop",
      concepts: ["hard cash"],
      files: ["till.ts"],
    });
    const { memoryId } = await http.ok(evolve, {
      memoryId: first,
      newContent: "Round at the end",
      newTitle: "Rounding",
    });
    const other = await remembered("The till has four keys", { project: "shop" });
    await http.ok(relate, { sourceId: memoryId, targetId: other, type: "related" });
    const { action } = await http.ok(createAction, { title: "Count the till" });
    await http.ok(updateAction, { actionId: action.id, status: "done", result: "four keys" });
    await http.ok(createCrystal, { actionIds: [action.id], sessionId: session.sessionId });
    await http.ok(saveLesson, { content: "Never round twice", context: "in totals", tags: ["money"] });
    expect(await exported()).toEqual({
      exported: { memories: 2, lessons: 1, crystals: 1, sessions: 1 },
      vaultDir: vault(),
      removed: 0,
    });
    const tail = memoryId.slice(-8);
    expect(names("memories")).toContain(`rounding-${tail}.md`);
    const note = readFileSync(join(place("memories"), `rounding-${tail}.md`), "utf8");
    expect(note).toBe(`---
memsvc: true
id: "${memoryId}"
title: "Rounding"
project: "shop"
type: "fact"
tags: ["hard-cash"]
files: ["till.ts"]
strength: 1
version: 2
created: "2026-03-01T12:00:00.000Z"
updated: "2026-03-01T12:00:00.000Z"
---

# Rounding

Round at the end

## Links

- supersedes [[round-once-${first.slice(-8)}|Round once]]
- related to [[the-till-has-four-keys-${other.slice(-8)}|The till has four keys]]
`);
    expect(notes("lessons")[0]).toContain("# Never round twice\n\nNever round twice\n\nin totals\n");
    expect(notes("sessions")[0]).toMatch(/^---\nmemsvc: true\nid: "work-on-the-till"\n/u);
    expect(notes("crystals")[0]).toMatch(/\n- of session \[\[[^|\]]*the-till\|/u);
    expect(notes("sessions")[0]).toContain("\n- crystal [[");
    const index = readFileSync(join(vault(), "memsvc", "index.md"), "utf8");
    expect(index).toContain(`## Memories\n\n### shop\n\n- [[rounding-${tail}|Rounding]]`);
    expect(index).toContain("## Lessons\n\n### No project\n\n- [[never-round-twice-");
    expect(statSync(join(vault(), "memsvc", "index.md")).mode & 0o777).toBe(0o600);
    for (const made of [vault(), place("memories")]) expect(statSync(made).mode & 0o777).toBe(0o700);
    const { entries } = await http.ok(listAudit, { operation: "vault_export" });
    expect(entries).toMatchObject([{ functionId: "vault.export", details: { path: vault(), memories: 2 } }]);
  });

  test("shows what a crystal is about, what a session decided, and the project of both", async () => {
    const at = { project: "shop", cwd: "/w/shop" };
    for (const sessionId of ["undecided", "decided"]) await http.ok(startSession, { sessionId, ...at });
    await happenNow(http, "undecided", "prompt_submit", { prompt: "count the keys" }, at);
    await happenNow(http, "decided", "prompt_submit", { prompt: "We decided to round at the end." }, at);
    for (const sessionId of ["undecided", "decided"]) await http.ok(summarizeSession, { sessionId });
    const action = { title: "Count", description: "in src/keys.ts", tags: ["key count"], project: "shop" };
    const { id } = (await http.ok(createAction, action)).action;
    await http.ok(updateAction, { actionId: id, status: "done" });
    await http.ok(createCrystal, { actionIds: [id] });
    await exported();
    const [crystal = ""] = notes("crystals");
    expect(crystal).toMatch(
      /\nproject: "shop"\ntype: "crystal"\ntags: \["key-count"\]\nfiles: \["src\/keys.ts"\]\n/u,
    );
    const [decided = "", undecided = ""] = notes("sessions").sort((a) =>
      a.includes('id: "decided"') ? -1 : 1,
    );
    expect(decided).toContain('\nproject: "shop"\n');
    expect(decided).toContain("\n\n## Decisions\n\n- We decided to round at the end.\n");
    expect(undecided).not.toContain("## Decisions");
  });

  test("lists projects by name in the index, notes without one last", async () => {
    for (const project of ["Zoo", undefined, "shop", "Barn"])
      await remembered(`What ${project ?? "everybody"} knows`, { project });
    await exported();
    const index = readFileSync(join(vault(), "memsvc", "index.md"), "utf8");
    expect(index.match(/(?<=^### ).*/gmu)).toEqual(["Barn", "Zoo", "shop", "No project"]);
  });

  test("links a memory and its session in both directions", async () => {
    const session = { sessionId: "s-one", project: "shop", cwd: "/w/shop" };
    await http.ok(startSession, session);
    const data = { prompt: "count the keys of the till" };
    const observationId = await happenNow(http, session.sessionId, "prompt_submit", data, session);
    await http.ok(summarizeSession, { sessionId: "s-one" });
    const memoryId = await remembered("Keys: four", { sourceObservationIds: [observationId] });
    await exported();
    const sessionNote = names("sessions")[0]?.slice(0, -3);
    const memoryNote = names("memories")[0]?.slice(0, -3);
    expect(notes("memories")[0]).toContain(`- from session [[${sessionNote}|`);
    expect(notes("sessions")[0]).toContain(`- memory [[${memoryNote}|Keys: four]]`);
    expect(memoryId.endsWith(memoryNote?.slice(-8) ?? "-")).toBe(true);
  });

  test("names each version of a memory by its own text", async () => {
    let memoryId = await remembered("Deploys run on Fridays");
    for (const day of ["Mondays", "Tuesdays"]) {
      const newContent = `Deploys run on ${day}`;
      memoryId = (await http.ok(evolve, { memoryId, newContent })).memoryId;
    }
    await exported();
    expect(names("memories")).toEqual([`deploys-run-on-tuesdays-${memoryId.slice(-8)}.md`]);
    const [note = ""] = notes("memories");
    expect(note).toContain("# Deploys run on Tuesdays");
    expect(note.match(/(?<=supersedes .*\|)[^\]]*/gu)?.toSorted()).toEqual([
      "Deploys run on Fridays",
      "Deploys run on Mondays",
    ]);
  });

  test("again updates its own notes, removes those without a record and leaves other files alone", async () => {
    const kept = await remembered("Kept");
    const gone = await remembered("Gone");
    const { lesson } = await http.ok(saveLesson, { content: "Wrong" });
    await exported();
    const own = join(place("memories"), "mine.md");
    writeFileSync(own, "---\ntitle: mine\n---\nmemsvc: true\n");
    writeFileSync(join(place("memories"), "data.json"), "{}");
    writeFileSync(
      join(place("memories"), "ruled.md"),
      "---\nA note of memsvc has this line:\nmemsvc: true\n",
    );
    const keptNote = join(place("memories"), `kept-${kept.slice(-8)}.md`);
    writeFileSync(keptNote, `${readFileSync(keptNote, "utf8")}\nscribbled\n`);
    await http.ok(forget, { memoryId: gone });
    await http.ok(deleteLesson, { lessonId: lesson.id });
    expect(await exported()).toMatchObject({ exported: { memories: 1, lessons: 0 }, removed: 2 });
    expect(names("memories")).toEqual(["data.json", `kept-${kept.slice(-8)}.md`, "mine.md", "ruled.md"]);
    expect(readFileSync(keptNote, "utf8")).not.toContain("scribbled");
    const { mtimeMs } = statSync(keptNote);
    expect(await exported()).toMatchObject({ removed: 0 });
    expect(statSync(keptNote).mtimeMs).toBe(mtimeMs);
  });

  test("removes old temporary files of notes, but no other files or those being written", async () => {
    await http.ok(remember, { content: "the vault is written note by note" });
    await exported();
    const [note] = names("memories");
    const left = [
      join(place("memories"), `${note}.memsvc-4711-3.tmp`),
      join(vault(), "memsvc", "index.md.memsvc-4711-9.tmp"),
    ];
    const kept = [`${note}.memsvc-4711-4.tmp`, `${note}.2026-11.tmp`, "mine.tmp", "own.md"].map((name) =>
      join(place("memories"), name),
    );
    for (const path of [...left, ...kept]) writeFileSync(path, "half");
    for (const path of [...left, ...kept.slice(1)]) utimesSync(path, new Date(0), new Date(0));
    await exported({ dryRun: true });
    expect(left.map((path) => existsSync(path))).toEqual([true, true]);
    await exported();
    expect([...left, ...kept].map((path) => existsSync(path))).toEqual([
      false,
      false,
      true,
      true,
      true,
      true,
    ]);
  });

  test("recognises its own note even when its front matter exceeds 64 KiB", async () => {
    const files = Array.from({ length: 200 }, (_, at) => `/w/shop/${"深い/".repeat(45)}${at}.ts`);
    const memoryId = await remembered("Of many files", { files });
    await exported();
    const [head = ""] = notes("memories")[0]?.split("\n---\n") ?? [];
    expect(Buffer.byteLength(head)).toBeGreaterThan(64 * 1024);
    await http.ok(evolve, { memoryId, newContent: "Of many files, changed", newTitle: "Of many files" });
    expect(await exported()).toMatchObject({ exported: { memories: 1 }, removed: 1 });
    const [left] = await http
      .ok(listMemories, { latest: true })
      .then((answer) => ("memories" in answer ? answer.memories : []));
    await http.ok(deleteMemories, { memoryIds: [left?.id ?? ""] });
    expect(await exported()).toMatchObject({ removed: 1 });
    expect(names("memories")).toEqual([]);
  });

  test("of some kinds or of one project leaves the other notes alone", async () => {
    await remembered("of the shop", { project: "shop" });
    await remembered("of no project");
    const till = await remembered("of the till", { project: "till" });
    await http.ok(saveLesson, { content: "everywhere" });
    await exported();
    await http.ok(forget, { memoryId: till });
    expect(await exported({ types: "lessons" })).toMatchObject({
      exported: { memories: 0, lessons: 1, crystals: 0, sessions: 0 },
      removed: 0,
    });
    expect(await exported({ project: "shop" })).toMatchObject({
      exported: { memories: 1, lessons: 1 },
      removed: 0,
    });
    expect(names("memories")).toHaveLength(3);
    expect(readFileSync(join(vault(), "memsvc", "index.md"), "utf8")).toContain("### till");
    expect(await exported({ project: "till" })).toMatchObject({ exported: { memories: 0 }, removed: 1 });
  });

  test("tells apart projects of the same name, also to remove notes", async () => {
    const startIn = (cwd: string) => http.ok(startSession, { sessionId: cwd, project: "shop", cwd });
    await startIn("/a/shop");
    const memoryId = await remembered("of the first", { project: "shop" });
    await startIn("/b/shop");
    await remembered("of the second", { project: "/b/shop" });
    await exported();
    const index = readFileSync(join(vault(), "memsvc", "index.md"), "utf8");
    expect(index.match(/^### .*/gmu)).toEqual(["### /a/shop", "### /b/shop"]);
    await http.ok(forget, { memoryId });
    expect(await exported({ project: "/a/shop" })).toMatchObject({ removed: 1 });
  });

  test("writes the newest 500 sessions with summaries, and keeps the notes of those that are older by now", async () => {
    const at = Array.from({ length: 501 }, (_, day) => new Date(Date.UTC(2024, 0, 1 + day)).toISOString());
    const sessions = at.map((startedAt, day) => ({
      id: `day-${day}`,
      project: "shop",
      cwd: "/w/shop",
      startedAt,
    }));
    const summaries = at.map((createdAt, day) => ({
      sessionId: `day-${day}`,
      title: `Day ${day}`,
      createdAt,
    }));
    await http.ok(importStore, { exportData: { version: "0.1.0", sessions, summaries } });
    await http.ok(startSession, { sessionId: "without-summary", project: "shop", cwd: "/w/shop" });
    expect(await exported({ types: ["sessions"] })).toMatchObject({ exported: { sessions: 500 } });
    const noteOf = (day: number) => notes("sessions").find((note) => note.includes(`# Day ${day}\n`));
    expect(noteOf(0)).toBeUndefined();
    const newest = { sessionId: "day-501", title: "Day 501", createdAt: "2026-01-01T00:00:00.000Z" };
    const session = { id: newest.sessionId, project: "shop", cwd: "/w/shop", startedAt: newest.createdAt };
    const exportData = { version: "0.1.0", sessions: [session], summaries: [newest] };
    await http.ok(importStore, { exportData });
    const again = await exported({ types: ["sessions"], project: "shop" });
    expect(again).toMatchObject({ exported: { sessions: 501 }, removed: 0 });
    expect([noteOf(0), noteOf(1), noteOf(501)].map((note) => note === undefined)).toEqual([
      true,
      false,
      false,
    ]);
  });

  test("writes a relative folder below the home's vault folder, with exportObsidian", async () => {
    await exported({ vaultDir: "notes", dryRun: true });
    expect(existsSync(join(http.home, "vault"))).toBe(false);
    const answer = await http.ok(exportObsidian, { vaultDir: "notes" });
    expect(answer).toMatchObject({ vaultDir: join(realpathSync(http.home), "vault", "notes") });
    expect(statSync(join(http.home, "vault")).mode & 0o777).toBe(0o700);
  });
});

const hostileTitles = [
  '---\nmemsvc: false\n---\n# "x"',
  'a: "b"\\',
  "line\u2028break\u0085and\u0000nul",
  "../../../etc/passwd",
  "CON",
  "[[link]] | ]] #tag",
  "🙂".repeat(90),
  "𞤀𞤣𞤤𞤢𞤥".repeat(30),
  "…",
];

test.each(hostileTitles)(
  "the title %j does not break the front matter or the file name of a note",
  async (title) => {
    const id = await remembered("plain", {
      title,
      concepts: [title.slice(0, 40)],
      project: title.slice(0, 40),
    });
    await exported();
    const [note = ""] = notes("memories");
    const [, head = "", rest = ""] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/u.exec(note) ?? [];
    for (const line of head.split("\n")) {
      expect(line).toMatch(/^[a-z]+: /u);
      // Neither JSON nor YAML may see a line end inside a value.
      expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/u);
      expect(() => JSON.parse(line.replace(/^[a-z]+: /u, ""))).not.toThrow();
    }
    expect(head.split("\n").slice(0, 2)).toEqual(["memsvc: true", `id: "${id}"`]);
    expect(rest.split("\n").filter((line) => line.startsWith("# "))).toHaveLength(1);
    expect(names("memories")).toHaveLength(1);
    expect(names("memories")[0]).toMatch(/^[\p{L}\p{N}\p{M}-]{1,70}\.md$/u);
    expect(readdirSync(folder)).toEqual(["vault"]);
    const index = readFileSync(join(vault(), "memsvc", "index.md"), "utf8");
    expect(index).toMatch(/^- \[\[[^[\]|]+\|[^[\]|]+\]\]$/mu);
  },
);

describe("the vault folder", () => {
  test.each([
    ["outside the roots", () => "/etc/vault", 403],
    ["above the home's own", () => "../outside", 403],
    ["with a sensitive name", () => join(folder, "my-secrets"), 403],
    ["whose parent is missing", () => join(folder, "a", "b"), 404],
    ["that is a file", () => join(folder, "file"), 400],
    ["that is a link", () => join(folder, "link"), 403],
    ["behind a link that leads out", () => join(folder, "out", "x"), 403],
    ["that is blank", () => " ", 400],
  ])("%s is refused and nothing is written", async (_name, path, status) => {
    writeFileSync(join(folder, "file"), "");
    mkdirSync(join(folder, "real"));
    symlinkSync(join(folder, "real"), join(folder, "link"));
    symlinkSync(tmpdir(), join(folder, "out"));
    const before = readdirSync(folder);
    expect((await http.reply(exportVault, { vaultDir: path() })).status).toBe(status);
    expect(readdirSync(folder)).toEqual(before);
    expect(readdirSync(join(folder, "real"))).toEqual([]);
  });

  test("is refused when a subfolder is a symbolic link", async () => {
    await remembered("one");
    mkdirSync(join(folder, "elsewhere"));
    mkdirSync(join(vault(), "memsvc"), { recursive: true });
    symlinkSync(join(folder, "elsewhere"), place("memories"));
    expect((await http.reply(exportVault, { vaultDir: vault() })).status).toBe(403);
    expect(readdirSync(join(folder, "elsewhere"))).toEqual([]);
  });

  test("with foreign files in the place of notes reports them, and gets the other notes", async () => {
    const first = await remembered("first");
    const second = await remembered("second");
    mkdirSync(place("memories"), { recursive: true });
    const target = join(folder, "target.md");
    writeFileSync(target, "mine");
    symlinkSync(target, join(place("memories"), `first-${first.slice(-8)}.md`));
    writeFileSync(join(place("memories"), `second-${second.slice(-8)}.md`), "mine");
    const third = await remembered("third");
    const answer = await exported();
    expect(answer.exported.memories).toBe(1);
    expect(answer.errors).toEqual([
      {
        file: join(place("memories"), `first-${first.slice(-8)}.md`),
        error: "is no ordinary file and was left alone; move it away, and the next export writes the note",
      },
      {
        file: join(place("memories"), `second-${second.slice(-8)}.md`),
        error:
          "was not written by memsvc and was left alone; move it away, and the next export writes the note",
      },
    ]);
    expect(readFileSync(target, "utf8")).toBe("mine");
    expect(existsSync(join(place("memories"), `third-${third.slice(-8)}.md`))).toBe(true);
  });

  test.each([{ types: ["facts"] }, { types: 5 }, { project: " " }])("with %j is a 400", async (fields) => {
    expect((await http.reply(exportVault, { vaultDir: vault(), ...fields })).status).toBe(400);
  });
});

test("MEMSVC_VAULT_AUTO_EXPORT updates the vault after each consolidation", async () => {
  const auto = await openTestHttp({ env: { MEMSVC_VAULT_AUTO_EXPORT: vault() } });
  await auto.ok(remember, { content: "The till has four keys" });
  await auto.ok(saveLesson, { content: "Never round twice" });
  await auto.ok(consolidatePipeline, { tier: "semantic" });
  await auto.runDueJobs();
  expect([notes("memories").length, notes("lessons").length]).toEqual([1, 1]);
  const { entries } = await auto.ok(listAudit, { operation: "vault_export" });
  expect(entries).toMatchObject([{ details: { path: vault(), jobId: expect.stringMatching(/^job_/u) } }]);
  await auto.close();
});

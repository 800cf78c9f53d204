import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { linkCommit, listCommits } from "../../src/capture/commits/operations.ts";
import { listObservations } from "../../src/capture/observations/operations.ts";
import { endSession, listSessions, startSession } from "../../src/capture/sessions/operations.ts";
import { listAudit } from "../../src/governance/audit/operations.ts";
import { evolve, forget, listMemories, remember } from "../../src/knowledge/memories/operations.ts";
import { summarizeSession } from "../../src/knowledge/summaries/operations.ts";
import { dayMs, minuteMs } from "../../src/time/durations.ts";
import { forEachTest } from "../support/for-each-test.ts";
import { openTestHttp, type Reply } from "../support/http.ts";
import { memorySteps } from "../support/memory-steps.ts";

const http = forEachTest(openTestHttp);

const { found, memory, observed, remembered } = memorySteps(http);

describe("forgetting a memory", () => {
  test("removes it with its relations and index entry, and leaves an audit entry and a tombstone", async () => {
    const first = await remembered("condor");
    const second = (await http.ok(evolve, { memoryId: first, newContent: "condor two" })).memoryId;
    const reply = await http.reply(forget, { memoryId: second });
    expect(reply.body).toEqual({
      success: true,
      deleted: 1,
      notFound: [],
      deletedMemories: 1,
      deletedObservations: 0,
    });
    expect(await found("condor")).toEqual([]);
    expect(await memory(first)).toMatchObject({ isLatest: false, relatedIds: [] });
    const { sql } = http.core.ground.store.read;
    expect(await sql.values("SELECT kind, id FROM tombstones")).toEqual([["memory", second]]);
    expect(await sql.values("SELECT * FROM memory_relations")).toEqual([]);
    expect((await http.ok(listAudit, { operation: "forget" })).entries).toMatchObject([
      { targetIds: [second], details: { deletedMemories: 1, deletedObservations: 0 } },
    ]);
  });

  test("erases its text from the database's files, as forgetting a session does", async () => {
    await Promise.all(["ferret", "lemur", "otter"].map((name) => remembered(`one ${name} stays`)));
    const long = Array.from({ length: 3_000 }, (_, at) => `puffin${at}`).join(" ");
    const memoryId = await remembered(`a condor is not to be known, nor ${long}`);
    await observed("s1", "who knows of the kestrel");
    const { sql } = http.core.ground.store.read;
    const texts = ["one lemur", "a condor is", "puffin2500 puffin2501", "of the kestrel"];
    // They are in the keyword index, too.
    const words = ["condor", "kestrel", "lemur"];
    const keptIn = (...names: string[]) => {
      const files = names.map((name) => readFileSync(join(http.home, name), "latin1"));
      return [...texts, ...words].filter((text) => files.some((file) => file.includes(text)));
    };
    const kept = async () => {
      await sql.values("PRAGMA wal_checkpoint(TRUNCATE)");
      return keptIn("memsvc.db");
    };
    await expect.poll(kept).toEqual([...texts, ...words]);
    await http.ok(forget, { memoryId });
    await http.ok(forget, { sessionId: "s1", includeSession: true });
    await expect.poll(kept).toEqual(["one lemur", ...words]);
    await http.ok(forget, { memoryId: await remembered("puffin2500 puffin2501 once more") });
    http.advance(minuteMs);
    await http.runDueJobs();
    expect(keptIn("memsvc.db", "memsvc.db-wal")).toEqual(["one lemur", "lemur"]);
    expect(await found("lemur")).toHaveLength(1);
  });

  test("with restorePrevious makes the highest earlier version the latest again", async () => {
    const first = await remembered("condor");
    const second = (await http.ok(evolve, { memoryId: first, newContent: "condor two" })).memoryId;
    const third = (await http.ok(evolve, { memoryId: second, newContent: "condor three" })).memoryId;
    const fourth = (await http.ok(evolve, { memoryId: third, newContent: "condor four" })).memoryId;
    const back = await http.ok(forget, { memoryId: fourth, restorePrevious: true });
    expect(back.restored).toBe(third);
    await http.ok(forget, { memoryId: second });
    const reply = await http.reply(forget, { memoryId: third, restorePrevious: true });
    expect(reply.body).toMatchObject({ deleted: 1, restored: first });
    expect(await found("condor")).toEqual([first]);
    expect((await memory(first)).isLatest).toBe(true);
  });

  test("with restorePrevious passes over versions that have expired", async () => {
    const { memoryId: first } = await http.ok(remember, { content: "condor", ttlDays: 30 });
    http.advance(dayMs);
    const second = (await http.ok(evolve, { memoryId: first, newContent: "condor two" })).memoryId;
    http.advance(30 * dayMs);
    const third = (await http.ok(evolve, { memoryId: second, newContent: "condor three" })).memoryId;
    const reply = await http.reply(forget, { memoryId: third, restorePrevious: true });
    expect(reply.body).not.toHaveProperty("restored");
    expect((await memory(first)).isLatest).toBe(false);
  });

  test("with restorePrevious restores nothing for an older or a first version", async () => {
    const first = await remembered("condor");
    const second = (await http.ok(evolve, { memoryId: first, newContent: "condor two" })).memoryId;
    const third = (await http.ok(evolve, { memoryId: second, newContent: "condor three" })).memoryId;
    const older = await http.reply(forget, { memoryId: second, restorePrevious: true });
    expect(older.body).not.toHaveProperty("restored");
    expect(await found("condor")).toEqual([third]);
    await http.ok(forget, { memoryId: first });
    const last = await http.reply(forget, { memoryId: third, restorePrevious: true });
    expect(last.body).not.toHaveProperty("restored");
    expect((await http.reply(listMemories, {})).body.total).toBe(0);
  });

  test("that is unknown is a 404 that names it", async () => {
    const reply = await http.reply(forget, { memoryId: "mem_x" });
    expect(reply.status).toBe(404);
    expect(reply.body).toEqual({ error: expect.any(String), notFound: ["mem_x"] });
    const hintFor = async (memoryId: string) => hintOf(await http.reply(forget, { memoryId }));
    expect(await hintFor("mem_x")).toContain("memsvc search");
    expect(await hintFor("obs_x")).toContain("memsvc forget --session <session> --observation obs_x");
    expect(await hintFor("lsn_x")).toContain("memsvc lesson delete lsn_x");
  });
});

const hintOf = ({ headers }: Reply) => decodeURIComponent(headers.get("x-memsvc-hint") ?? "");

describe("forgetting a session", () => {
  test("removes all its observations and keeps the session with a corrected count", async () => {
    const ids = await observed("s1", "osprey one", "osprey two");
    const { sql } = http.core.ground.store.read;
    const recalled = () => sql.values("SELECT memory_id FROM access_logs");
    expect(await found("osprey")).toHaveLength(2);
    await expect.poll(recalled).toHaveLength(2);
    const reply = await http.reply(forget, { sessionId: "s1" });
    expect(reply.body).toMatchObject({
      deleted: 2,
      deletedMemories: 0,
      deletedObservations: 2,
      notFound: [],
    });
    expect(await found("osprey")).toEqual([]);
    expect((await http.ok(listSessions, {})).sessions[0]?.observationCount).toBe(0);
    expect(await recalled()).toEqual([]);
    expect(await sql.values("SELECT * FROM raw_events")).toEqual([]);
    const noted = await sql.values("SELECT kind, id FROM tombstones ORDER BY kind DESC, id");
    expect(noted.slice(0, 2)).toEqual(ids.sort().map((id) => ["observation", id]));
    // So that the import of a transcript does not bring them back.
    expect(noted.slice(2).map(([kind]) => kind)).toEqual(["forgottenEvent", "forgottenEvent"]);
  });

  test("writes one audit entry with the observations and their session", async () => {
    const ids = await observed("s1", "osprey one", "osprey two");
    await http.ok(forget, { sessionId: "s1" });
    const { entries } = await http.ok(listAudit, { operation: "forget" });
    expect(entries).toHaveLength(1);
    expect(entries[0]?.targetIds.toSorted()).toEqual(ids.toSorted());
    expect(entries[0]?.details).toMatchObject({ sessionId: "s1", deletedObservations: 2 });
    await http.ok(forget, { sessionId: "s1", includeSession: true });
    expect((await http.ok(listAudit, { operation: "forget" })).entries[0]?.targetIds).toEqual(["s1"]);
  });

  test("with ids removes only those, and lists ids that do not belong to the session", async () => {
    const [one, two] = await observed("s1", "a", "b");
    const [foreign] = await observed("s2", "c");
    const observationIds = [one ?? "", foreign ?? "", "obs_x"];
    const reply = await http.reply(forget, { sessionId: "s1", observationIds });
    expect(reply.body).toMatchObject({ deleted: 1, notFound: [foreign, "obs_x"] });
    expect((await http.ok(listObservations, { sessionId: "s1" })).observations.map(({ id }) => id)).toEqual([
      two,
    ]);
    expect(
      (await http.ok(listSessions, {})).sessions.map(({ observationCount }) => observationCount),
    ).toEqual([1, 1]);
  });

  test("with only unknown ids is a 404, with a hint on where to find the session or its observations", async () => {
    await observed("s1", "a");
    const observationIds = ["obs_x", "obs_x"];
    const reply = await http.reply(forget, { sessionId: "s1", observationIds });
    expect([reply.status, reply.body.notFound]).toEqual([404, ["obs_x"]]);
    expect(hintOf(reply)).toContain("session show");
    expect(hintOf(await http.reply(forget, { sessionId: "s2", observationIds }))).toContain("session list");
  });

  test("without observations deletes nothing, succeeds and writes no audit entry", async () => {
    await http.ok(startSession, { sessionId: "s1", project: "p", cwd: "/p" });
    const reply = await http.reply(forget, { sessionId: "s1" });
    expect([reply.status, reply.body.deleted]).toEqual([200, 0]);
    expect((await http.ok(listAudit, { operation: "forget" })).total).toBe(0);
  });

  test("by the id of its first prompt erases that prompt and names the session by the next one", async () => {
    const [secret = ""] = await observed("s1", "the wifi code of Aunt Petra is blue-elephant", "/model");
    await observed("s1", "now refactor the login form please");
    await http.ok(forget, { sessionId: "s1", observationIds: [secret] });
    const next = "now refactor the login form please";
    expect((await http.ok(listSessions, {})).sessions[0]?.firstPrompt).toBe(next);
    await http.ok(endSession, { sessionId: "s1" });
    expect(await http.ok(summarizeSession, { sessionId: "s1" })).toMatchObject({ summary: { title: next } });
    const begun = { sessionId: "s2", project: "shop", cwd: "/w/shop" };
    expect((await http.ok(startSession, begun)).context).toContain("refactor the login form");
    expect(JSON.stringify((await http.send("/export")).body)).not.toContain("blue-elephant");
  });

  test("by the id of its first prompt names it by its own next prompt, not by another session's", async () => {
    await observed("s1", "paint the shed");
    const [secret = ""] = await observed(
      "s2",
      "the wifi code of Aunt Petra is blue-elephant",
      "mow the lawn",
    );
    await http.ok(forget, { sessionId: "s2", observationIds: [secret] });
    const names = (await http.ok(listSessions, {})).sessions.map(({ firstPrompt }) => firstPrompt);
    expect(names.sort()).toEqual(["mow the lawn", "paint the shed"]);
  });

  test("names it by its first remaining prompt, or by a later one when none is left", async () => {
    const [, second = ""] = await observed("s1", "paint the shed", "and the fence");
    const name = async () => (await http.ok(listSessions, {})).sessions[0]?.firstPrompt;
    await http.ok(forget, { sessionId: "s1", observationIds: [second] });
    expect(await name()).toBe("paint the shed");
    await http.ok(forget, { sessionId: "s1" });
    expect(await name()).toBeUndefined();
    await observed("s1", "mow the lawn");
    expect(await name()).toBe("mow the lawn");
  });

  test("keeps the title that it was started with", async () => {
    const title = "paint the shed";
    await http.ok(startSession, { sessionId: "s1", project: "shop", cwd: "/w/shop", title });
    await observed("s1", title, "and the fence");
    await http.ok(forget, { sessionId: "s1" });
    expect((await http.ok(listSessions, {})).sessions[0]?.firstPrompt).toBe(title);
  });

  test("with includeSession removes and counts the session too, unless ids are given", async () => {
    const [one] = await observed("s1", "a", "b");
    await http.ok(forget, { sessionId: "s1", observationIds: [one ?? ""], includeSession: true });
    expect((await http.ok(listSessions, {})).total).toBe(1);
    const reply = await http.reply(forget, { sessionId: "s1", includeSession: true });
    expect(reply.body).toMatchObject({ deleted: 2, deletedObservations: 1 });
    expect(reply.body).not.toHaveProperty("summary");
    expect((await http.ok(listSessions, {})).total).toBe(0);
    expect((await http.reply(listObservations, { sessionId: "s1" })).status).toBe(404);
    const { sql } = http.core.ground.store.read;
    const buried = await sql.values("SELECT kind, id FROM tombstones WHERE kind = 'session'");
    expect(buried).toEqual([["session", "s1"]]);
  });

  test("says what becomes of the session's summary", async () => {
    const [one] = await observed("s1", "a fence", "a shed");
    await http.ok(summarizeSession, { sessionId: "s1" });
    const fates: readonly (readonly [object, string])[] = [
      [{ observationIds: [one ?? ""] }, "renewed"],
      [{ includeSession: true, dryRun: true }, "deleted"],
      [{}, "kept"],
      [{ includeSession: true }, "deleted"],
    ];
    for (const [input, summary] of fates)
      expect(await http.ok(forget, { sessionId: "s1", ...input })).toMatchObject({ summary });
  });

  test("with includeSession keeps its commits and unlinks them from the session", async () => {
    await observed("s1", "a");
    await observed("s2", "b");
    for (const sessionId of ["s1", "s2"]) await http.ok(linkCommit, { sha: "3f2a91c", sessionId });
    await http.ok(linkCommit, { sha: "aaaaaaa", sessionId: "s1" });
    http.advance(1_000);
    await http.ok(forget, { sessionId: "s1", includeSession: true });
    const { commits } = await http.ok(listCommits, {});
    expect(commits.map(({ sha, sessionIds }) => [sha, sessionIds])).toEqual([
      ["aaaaaaa", []],
      ["3f2a91c", ["s2"]],
    ]);
    expect(new Set(commits.map(({ updatedAt }) => updatedAt))).toEqual(
      new Set([new Date(http.now()).toISOString()]),
    );
    await observed("s1", "c");
    const { sessions } = await http.ok(listSessions, {});
    expect(Object.fromEntries(sessions.map(({ id, commitShas }) => [id, commitShas]))).toEqual({
      s1: [],
      s2: ["3f2a91c"],
    });
  });

  test("together with a memory deletes both, and one of them may be unknown", async () => {
    await observed("s1", "a");
    const id = await remembered("x");
    expect((await http.reply(forget, { memoryId: id, sessionId: "s1" })).body).toMatchObject({
      deleted: 2,
      notFound: [],
    });
    expect((await http.reply(forget, { memoryId: id, sessionId: "s1" })).body).toMatchObject({
      deleted: 0,
      notFound: [id],
    });
    expect((await http.reply(forget, { memoryId: id, sessionId: "s2" })).status).toBe(404);
  });

  test.each([
    ["nothing", {}],
    ["only ids of observations", { observationIds: ["obs_1"] }],
    ["ids with a memory but no session", { memoryId: "mem_1", observationIds: ["obs_1"] }],
    ["an empty list of ids", { sessionId: "s1", observationIds: [] }],
    ["1001 ids", { sessionId: "s1", observationIds: Array.from({ length: 1_001 }, String) }],
  ])("is a 400 with %s", async (_name, input) => {
    expect((await http.reply(forget, input)).status).toBe(400);
  });
});

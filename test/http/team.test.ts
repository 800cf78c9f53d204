import { describe, expect, test } from "vitest";
import { endSession, startSession } from "../../src/capture/sessions/operations.ts";
import { listAudit } from "../../src/governance/audit/operations.ts";
import { bulkDelete, deleteMemories } from "../../src/governance/deletion/operations.ts";
import { evict } from "../../src/governance/retention/operations.ts";
import { exportStore, importStore } from "../../src/governance/transfer/operations.ts";
import { evolve, forget, remember } from "../../src/knowledge/memories/operations.ts";
import { shareItem, teamFeed, teamProfile } from "../../src/sharing/team/operations.ts";
import { forEachTest } from "../support/for-each-test.ts";
import { dumpStore, openTestHttp, type TestHttp } from "../support/http.ts";
import { happenNow } from "../support/workdays.ts";

const env = { MEMSVC_TEAM_ID: "core", MEMSVC_USER_ID: "ann" };

const http = forEachTest(() => openTestHttp({ env }));

async function remembered(content: string, fields: Readonly<Record<string, unknown>> = {}, to = http) {
  return (await to.ok(remember, { content, ...fields })).memoryId;
}

async function observed(
  sessionId: string,
  hookType: "prompt_submit" | "notification" = "prompt_submit",
): Promise<string> {
  await http.ok(startSession, { sessionId, project: "shop", cwd: "/w/shop" });
  const data = { prompt: `the till of ${sessionId} rounds down`, message: "waiting for input" };
  return happenNow(http, sessionId, hookType, data, { cwd: "/w/shop" });
}

describe("sharing a record with the team", () => {
  test("copies a memory as it is, with one audit entry", async () => {
    const itemId = await remembered("Rounding is done once", { project: "shop", concepts: ["money"] });
    const reply = await http.reply(shareItem, { itemId, itemType: "memory" });
    expect(reply.status).toBe(201);
    expect(reply.body).toMatchObject({
      success: true,
      renewed: false,
      sharedItem: {
        id: expect.stringMatching(/^tsi_[0-9a-z]{26}$/u),
        sharedBy: "ann",
        sharedAt: "2026-03-01T12:00:00.000Z",
        type: "memory",
        itemId,
        content: { id: itemId, content: "Rounding is done once", concepts: ["money"] },
        project: "shop",
        visibility: "shared",
        teamId: "core",
      },
    });
    const { id } = reply.body.sharedItem as { id: string };
    const { entries } = await http.ok(listAudit, { operation: "share" });
    expect(entries).toMatchObject([{ functionId: "team.share", targetIds: [id, itemId], userId: "ann" }]);
  });

  test("names a memory by its present text, not by that of an earlier version", async () => {
    const memoryId = await remembered("Deploys run on Fridays");
    const { memory } = await http.ok(evolve, { memoryId, newContent: "Deploys run on Mondays" });
    const { sharedItem } = await http.ok(shareItem, { itemId: memory.id, itemType: "memory" });
    expect(sharedItem.content).toMatchObject({ title: "Deploys run on Mondays", version: 2 });
  });

  test("leaves no copy when the record is deleted concurrently", async () => {
    for (let lead = 0; lead < 30; lead++) {
      const itemId = await remembered(`number ${lead} is forgotten`);
      const deletion = (async () => {
        for (let turn = 0; turn < lead; turn++) await null;
        return http.reply(deleteMemories, { memoryIds: [itemId] });
      })();
      const sharing = http.reply(shareItem, { itemId, itemType: "memory" });
      const [deleted, shared] = await Promise.all([deletion, sharing]);
      expect(deleted.status).toBe(200);
      expect([201, 404]).toContain(shared.status);
    }
    expect((await http.ok(teamFeed, {})).items).toEqual([]);
  });

  test("again renews the copy, which otherwise stays when the record changes or is evicted", async () => {
    const itemId = await remembered("one");
    const { sharedItem } = await http.ok(shareItem, { itemId, itemType: "memory" });
    http.advance(1_000);
    const reply = await http.reply(shareItem, { itemId, itemType: "memory", project: "till" });
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({
      renewed: true,
      sharedItem: { id: sharedItem.id, sharedAt: "2026-03-01T12:00:01.000Z", project: "till" },
    });
    await http.ok(evolve, { memoryId: itemId, newContent: "two" });
    http.advance(10 * 365 * 86_400_000);
    expect((await http.ok(evict, {})).nonLatestMemories).toEqual([itemId]);
    expect(await http.ok(teamFeed, {})).toMatchObject({ total: 1, items: [{ content: { content: "one" } }] });
    expect((await http.reply(shareItem, { itemId, itemType: "memory" })).status).toBe(404);
    const unknown = await http.reply(shareItem, { itemId: "obs_x", itemType: "observation" });
    expect(unknown.status).toBe(404);
  });

  test("is undone when the record is deleted in any way or expires", async () => {
    const sessionId = "s1";
    const observationId = await observed(sessionId);
    const shared = async (content: string, fields: Readonly<Record<string, unknown>> = {}) => {
      const itemId = await remembered(content, fields);
      await http.ok(shareItem, { itemId, itemType: "memory" });
      return itemId;
    };
    const kept = await shared("kept");
    const forgotten = await shared("alpha", { type: "pattern" });
    await http.ok(shareItem, { itemId: forgotten, itemType: "pattern" });
    await http.ok(shareItem, { itemId: observationId, itemType: "observation" });
    const deleted = await shared("beta");
    await shared("gamma", { type: "bug" });
    await shared("delta", { ttlDays: 1 });
    expect((await http.ok(teamFeed, {})).total).toBe(7);
    const both = { memoryId: forgotten, sessionId, observationIds: [observationId] };
    expect(await http.ok(forget, both)).not.toHaveProperty("withdrawn");
    await http.ok(deleteMemories, { memoryIds: [deleted] });
    await http.ok(bulkDelete, { type: ["bug"] });
    http.advance(2 * 86_400_000);
    await http.ok(evict, {});
    expect((await http.ok(teamFeed, {})).items.map(({ itemId }) => itemId)).toEqual([kept]);
  });

  test("of an evicted record can be undone by those who may forget it", async () => {
    const isolated = await openTestHttp({ env: { ...env, MEMSVC_AGENT_SCOPE: "isolated" } });
    const shared = async (content: string) => {
      const itemId = await remembered(content, { agentId: "ann" }, isolated);
      await isolated.ok(shareItem, { itemId, itemType: "memory", agentId: "ann" });
      return itemId;
    };
    const [first, second] = [await shared("one alone"), await shared("another thing")];
    isolated.advance(10 * 365 * 86_400_000);
    expect((await isolated.ok(evict, {})).evicted).toBe(2);
    const ids = async () => (await isolated.ok(teamFeed, {})).items.map(({ itemId }) => itemId).sort();
    expect(await ids()).toEqual([first, second].sort());
    const other = await isolated.reply(forget, { memoryId: first, agentId: "bob" });
    expect([other.status, other.body.notFound]).toEqual([404, [first]]);
    expect(await isolated.ok(forget, { memoryId: first, agentId: "ann" })).toEqual({
      deleted: 0,
      notFound: [],
      deletedMemories: 0,
      deletedObservations: 0,
      withdrawn: [first],
    });
    expect(await ids()).toEqual([second]);
    const memoryIds = [first, second];
    const answer = { deleted: 0, total: 2, notFound: [first], withdrawn: [second] };
    expect(await isolated.ok(deleteMemories, { memoryIds })).toEqual(answer);
    expect((await isolated.reply(deleteMemories, { memoryIds })).status).toBe(404);
    const { entries } = await isolated.ok(listAudit, { operation: "forget" });
    expect(entries).toMatchObject([{ targetIds: [first], details: { withdrawn: 1 } }]);
    await isolated.close();
  });

  test("of an evicted observation is undone by forgetting it in its session", async () => {
    const itemId = await observed("s1", "notification");
    await http.ok(shareItem, { itemId, itemType: "observation" });
    await http.ok(endSession, { sessionId: "s1" });
    http.advance(10 * 365 * 86_400_000);
    expect((await http.ok(evict, {})).observationIds).toEqual([itemId]);
    const answer = await http.ok(forget, { sessionId: "s1", observationIds: [itemId, "obs_unknown"] });
    expect(answer).toMatchObject({ deleted: 0, withdrawn: [itemId], notFound: ["obs_unknown"] });
    expect(await http.ok(teamFeed, {})).toMatchObject({ total: 0 });
  });

  test("is not undone when another session is forgotten", async () => {
    const [gone, kept] = [await observed("s1"), await observed("s2")];
    for (const itemId of [gone, kept]) await http.ok(shareItem, { itemId, itemType: "observation" });
    await http.ok(forget, { sessionId: "s1" });
    expect((await http.ok(teamFeed, {})).items.map(({ itemId }) => itemId)).toEqual([kept]);
  });

  test("copies an observation without its raw event, if it belongs to the named session", async () => {
    const itemId = await observed("s1");
    const wrong = await http.reply(shareItem, { itemId, itemType: "observation", sessionId: "s2" });
    expect(wrong.status).toBe(404);
    const { sharedItem } = await http.ok(shareItem, { itemId, itemType: "observation", sessionId: "s1" });
    expect(sharedItem).toMatchObject({ project: "shop", content: { id: itemId, sessionId: "s1" } });
    expect(sharedItem.content).not.toHaveProperty("raw");
    expect((await http.reply(shareItem, { itemId, itemType: "memory" })).status).toBe(404);
    const unknown = await http.reply(shareItem, { itemId: "obs_x", itemType: "observation" });
    expect(unknown.status).toBe(404);
  });

  test("as a pattern works for pattern memories and given patterns, and for nothing else", async () => {
    const pattern = await remembered("Tests come first", { type: "pattern" });
    const fact = await remembered("The till has four keys");
    const shared = await http.ok(shareItem, { itemId: pattern, itemType: "pattern" });
    expect(shared.sharedItem).toMatchObject({ type: "pattern", content: { id: pattern } });
    expect((await http.reply(shareItem, { itemId: fact, itemType: "pattern" })).status).toBe(400);
    const token = `ghp_${"a1B2".repeat(9)}`;
    const given = await http.ok(shareItem, {
      itemId: "co-change:till.ts",
      itemType: "pattern",
      content: { type: "co_change", description: `till.ts changes with ${token}`, files: ["till.ts"] },
    });
    expect(given.sharedItem.content.description).toBe("till.ts changes with [REDACTED_SECRET]");
    expect((await http.reply(shareItem, { itemId: "co-change:x", itemType: "pattern" })).status).toBe(404);
  });

  test.each([
    ["an unknown type", { itemType: "lesson" }],
    ["no type", { itemType: undefined }],
    ["content that is no object", { itemType: "pattern", content: ["x"] }],
    ["content of more than 64 KiB", { itemType: "pattern", content: { text: "x".repeat(65_536) } }],
  ])("with %s is a 400", async (_name, fields) => {
    expect((await http.reply(shareItem, { itemId: "mem_1", ...fields })).status).toBe(400);
  });

  test("of another agent's record is refused in isolated scope", async () => {
    const isolated = await openTestHttp({ env: { ...env, MEMSVC_AGENT_SCOPE: "isolated" } });
    const asked = { sessionId: "s1", project: "shop", cwd: "/w/shop", agentId: "builder" };
    await isolated.ok(startSession, asked);
    for (const [itemType, itemId] of [
      ["memory", await remembered("mine", { agentId: "builder" }, isolated)],
      ["observation", await happenNow(isolated, "s1", "prompt_submit", { prompt: "mine" }, asked)],
    ] as const) {
      const shareAs = async (agentId?: string) =>
        (await isolated.reply(shareItem, { itemId, itemType, agentId })).status;
      expect([await shareAs("tester"), await shareAs(), await shareAs("builder")]).toEqual([404, 400, 201]);
    }
    await isolated.close();
  });
});

describe("the team feed", () => {
  test("is filtered by project and type, paged and newest first", async () => {
    for (const [content, project] of [
      ["one", "shop"],
      ["two", "till"],
      ["three", "/w/shop"],
    ] as const) {
      await http.ok(shareItem, { itemId: await remembered(content, { project }), itemType: "memory" });
      http.advance(1_000);
    }
    const contents = async (fields: Readonly<Record<string, unknown>>) =>
      (await http.ok(teamFeed, fields)).items.map(({ content }) => content.content);
    expect(await contents({})).toEqual(["three", "two", "one"]);
    expect(await contents({ project: "shop" })).toEqual(["three", "one"]);
    expect(await contents({ type: "pattern" })).toEqual([]);
    expect(await contents({ limit: 1, offset: 1 })).toEqual(["two"]);
    expect(await http.ok(teamFeed, { limit: 500 })).toMatchObject({ total: 3, offset: 0, limit: 200 });
    expect((await http.reply(teamFeed, { type: "lesson" })).status).toBe(400);
  });

  test("shows private items only to their user, and no items of another team", async () => {
    const itemId = await remembered("shared by ann");
    await http.ok(shareItem, { itemId, itemType: "memory" });
    const file = await http.ok(exportStore, {});
    const asReader = async (reader: Readonly<Record<string, string>>) => {
      const other = await openTestHttp({ env: { ...env, ...reader } });
      await other.ok(importStore, { exportData: file });
      other.advance(1_000);
      const own = await remembered("of the reader", {}, other);
      await other.ok(shareItem, { itemId: own, itemType: "memory" });
      const { items } = await other.ok(teamFeed, {});
      const profile = await other.ok(teamProfile, {});
      await other.close();
      return [items.map(({ sharedBy }) => sharedBy), profile.totalSharedItems];
    };
    expect(await asReader({ MEMSVC_USER_ID: "bob" })).toEqual([["bob", "ann"], 2]);
    expect(await asReader({ MEMSVC_TEAM_ID: "other" })).toEqual([["ann"], 1]);
    const hidden = await openTestHttp({ env: { ...env, MEMSVC_TEAM_MODE: "private" } });
    await hidden.ok(shareItem, { itemId: await remembered("for me", {}, hidden), itemType: "memory" });
    const mine = await hidden.ok(exportStore, {});
    expect((await hidden.ok(teamFeed, {})).items).toMatchObject([{ visibility: "private" }]);
    await hidden.close();
    const bob = await openTestHttp({ env: { ...env, MEMSVC_USER_ID: "bob" } });
    await bob.ok(importStore, { exportData: mine });
    expect(await bob.ok(teamFeed, {})).toMatchObject({ total: 0 });
    await bob.close();
  });
});

test("the team profile counts concepts and files of the shared items", async () => {
  const first = await remembered("one", { concepts: ["money", "till"], files: ["till.ts"] });
  const second = await remembered("Round once\nat the end", { type: "pattern", concepts: ["money"] });
  await http.ok(shareItem, { itemId: first, itemType: "memory" });
  await http.ok(shareItem, { itemId: second, itemType: "pattern" });
  expect(await http.ok(teamProfile, {})).toMatchObject({
    teamId: "core",
    members: ["ann"],
    topConcepts: [
      { concept: "money", frequency: 2 },
      { concept: "till", frequency: 1 },
    ],
    topFiles: [{ file: "till.ts", frequency: 1 }],
    sharedPatterns: ["Round once"],
    totalSharedItems: 2,
    updatedAt: "2026-03-01T12:00:00.000Z",
  });
});

test("the team profile lists up to 15 concepts, 15 files and 20 patterns", async () => {
  const names = (kind: string) => Array.from({ length: 16 }, (_, at) => `${kind}${at}`);
  const itemId = await remembered("about much", { concepts: names("tag"), files: names("file") });
  await http.ok(shareItem, { itemId, itemType: "memory" });
  for (let at = 0; at < 21; at += 1) {
    await http.ok(shareItem, { itemId: `p${at}`, itemType: "pattern", content: { title: `Pattern ${at}` } });
  }
  const { topConcepts, topFiles, sharedPatterns } = await http.ok(teamProfile, {});
  expect([topConcepts, topFiles, sharedPatterns].map(({ length }) => length)).toEqual([15, 15, 20]);
});

test.each([{}, { MEMSVC_TEAM_ID: "core" }, { MEMSVC_USER_ID: "ann" }])(
  "with only %j every team route answers 503 and says how to enable it",
  async (settings) => {
    const off = await openTestHttp({ env: settings });
    for (const operation of [shareItem, teamFeed, teamProfile]) {
      const { status, body } = await off.reply(operation, {});
      expect([status, body.flag, body.docsHref]).toEqual([
        503,
        "MEMSVC_TEAM_ID",
        "docs/config.md#memsvc_team_id",
      ]);
      expect(body.enableHow).toContain("MEMSVC_USER_ID");
    }
    await off.close();
  },
);

test("an export and import transfer shared items, and nothing changes the second time", async () => {
  const itemId = await remembered("one", { project: "/w/shop" });
  await http.ok(shareItem, { itemId, itemType: "memory" });
  const { memoryId } = await http.ok(evolve, { memoryId: itemId, newContent: "two" });
  await http.ok(shareItem, { itemId: memoryId, itemType: "memory" });
  const file = await http.ok(exportStore, {});
  expect(file.teamItems).toHaveLength(2);
  const other = await openTestHttp({ env });
  await other.ok(importStore, { exportData: file });
  const teamRows = async (store: TestHttp) =>
    (await dumpStore(store)).split("\n").filter((line) => line.startsWith("team_items"));
  expect(await teamRows(other)).toEqual(await teamRows(http));
  const again = await other.ok(importStore, { exportData: file });
  expect(again.counts.teamItems).toEqual({ written: 0, skipped: 2 });
  await other.close();
});

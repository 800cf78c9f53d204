import { describe, expect, test } from "vitest";
import { listAudit } from "../../src/governance/audit/operations.ts";
import { bulkDelete, deleteMemories } from "../../src/governance/deletion/operations.ts";
import { evolve, getMemory, listMemories, remember } from "../../src/knowledge/memories/operations.ts";
import { smartSearch } from "../../src/recall/search/operations.ts";
import { dayMs } from "../../src/time/durations.ts";
import { forEachTest } from "../support/for-each-test.ts";
import { openTestHttp } from "../support/http.ts";

const http = forEachTest(openTestHttp);

const store = async (content: string, more: Readonly<Record<string, unknown>> = {}) =>
  (await http.ok(remember, { content, ...more })).memoryId;

async function left() {
  const answer = await http.ok(listMemories, {});
  return "memories" in answer ? answer.memories.map(({ id }) => id) : [];
}

async function newestDelete() {
  return (await http.ok(listAudit, { operation: "delete" })).entries[0];
}

describe("deleting memories by id", () => {
  test("removes row, index entry and relations of any version and agent, and lists unknown ids", async () => {
    const first = await store("herons nest in tall trees", { agentId: "ann" });
    const { memoryId: second } = await http.ok(evolve, { memoryId: first, newContent: "herons nest low" });
    const answer = await http.ok(deleteMemories, {
      memoryIds: [first, second, "mem_unknown", first],
      reason: "asked for",
    });
    expect(answer).toMatchObject({ deleted: 2, total: 3, notFound: ["mem_unknown"] });
    expect(await left()).toEqual([]);
    expect((await http.ok(smartSearch, { query: "herons" })).results).toEqual([]);
    expect(await http.core.ground.store.read.sql.all("SELECT * FROM memory_relations")).toEqual([]);
    expect(await newestDelete()).toMatchObject({
      functionId: "governance.delete",
      targetIds: [first, second, "mem_unknown"],
      details: { reason: "asked for", requested: 3, deleted: 2 },
    });
  });

  test("is a 404 when no id exists, and the attempt is audited", async () => {
    const reply = await http.reply(deleteMemories, { memoryIds: ["a", "b"] });
    expect(reply).toMatchObject({ status: 404, body: { deleted: 0, total: 2, notFound: ["a", "b"] } });
    expect(await newestDelete()).toMatchObject({ targetIds: ["a", "b"], details: { deleted: 0 } });
  });

  test.each([undefined, [], "mem_1", [1, 2], [""]])("refuses %j as memoryIds", async (memoryIds) => {
    await store("stays");
    expect((await http.reply(deleteMemories, { memoryIds })).status).toBe(400);
    expect(await left()).toHaveLength(1);
  });

  test.each([
    ["with commas between", (ids: readonly string[]) => `memoryIds=${ids.join(",")}`],
    ["each under the name", (ids: readonly string[]) => ids.map((id) => `memoryIds=${id}`).join("&")],
  ])("accepts ids from the query, %s", async (_, written) => {
    const ids = [await store("herons nest in tall trees"), await store("storks nest on chimneys")];
    const { body } = await http.send(`/governance/memories?${written(ids)}`, { method: "DELETE" });
    expect(body).toMatchObject({ deleted: 2, total: 2, notFound: [] });
    expect(await left()).toEqual([]);
  });

  test("redacts secrets in the reason", async () => {
    const id = await store("x");
    await http.ok(deleteMemories, {
      memoryIds: [id],
      reason: "leaked ghp_abcdefghijklmnopqrstuvwxyz0123456789",
    });
    expect(JSON.stringify(await newestDelete())).not.toContain("ghp_");
  });

  test("ignores a blank reason", async () => {
    await http.ok(deleteMemories, { memoryIds: [await store("x")], reason: " " });
    expect((await newestDelete())?.details).not.toHaveProperty("reason");
  });
});

describe("bulk delete", () => {
  test("deletes what meets all filters and nothing else, as its dry run said", async () => {
    const old = await store("alpha one", { type: "bug", project: "shop" });
    const otherType = await store("beta two", { type: "fact", project: "shop" });
    const otherProject = await store("gamma three", { type: "bug", project: "bank" });
    http.advance(2 * dayMs);
    const later = await store("delta four", { type: "bug", project: "shop" });
    const filters = { type: ["bug" as const], project: "shop", dateTo: "2026-03-01" };
    expect(await http.ok(bulkDelete, { ...filters, dryRun: true })).toMatchObject({
      dryRun: true,
      wouldDelete: 1,
      ids: [old],
    });
    expect(await left()).toHaveLength(4);
    expect(await http.ok(bulkDelete, filters)).toMatchObject({
      dryRun: false,
      deleted: 1,
      failed: 0,
      ids: [old],
    });
    expect((await left()).sort()).toEqual([otherType, otherProject, later].sort());
    expect(await newestDelete()).toMatchObject({
      functionId: "governance.bulk-delete",
      targetIds: [old],
      details: { filters: { type: ["bug"], project: "shop" }, deleted: 1 },
    });
  });

  test("includes both ends of the given time, which its audit entry repeats", async () => {
    await store("told before");
    http.advance(1_000);
    const { memory } = await http.ok(remember, { content: "told at that moment" });
    http.advance(1_000);
    await store("told afterwards");
    const { createdAt } = memory;
    const filters = { dateFrom: createdAt, dateTo: createdAt };
    expect(await http.ok(bulkDelete, filters)).toMatchObject({ ids: [memory.id] });
    const at = Date.parse(createdAt);
    expect((await newestDelete())?.details).toMatchObject({ filters: { dateFrom: at, dateTo: at } });
  });

  test("compares qualityBelow with the current strength", async () => {
    const faint = await store("a passing fact");
    http.advance(300 * dayMs);
    const fresh = await store("another thing");
    expect(await http.ok(bulkDelete, { qualityBelow: 0.5 })).toMatchObject({ ids: [faint] });
    expect(await left()).toEqual([fresh]);
  });

  test("compares qualityBelow with the strength as it is displayed", async () => {
    const id = await store("a fact of a minute ago");
    http.advance(60_000);
    expect((await http.ok(getMemory, { id })).memory.strength).toBe(1);
    expect(await http.ok(bulkDelete, { qualityBelow: 1 })).toMatchObject({ deleted: 0 });
    expect(await left()).toEqual([id]);
  });

  test("deletes earlier versions too, and only the named agent's memories", async () => {
    const first = await store("one version", { agentId: "ann" });
    const { memoryId: second } = await http.ok(evolve, { memoryId: first, newContent: "two versions" });
    const others = await store("somebody else's", { agentId: "bob" });
    const answer = await http.ok(bulkDelete, { agentId: "ann" });
    expect(answer).toMatchObject({ deleted: 2 });
    expect("ids" in answer && answer.ids.toSorted()).toEqual([first, second].sort());
    expect(await left()).toEqual([others]);
  });

  test("with nothing to delete succeeds with 0 and is audited", async () => {
    expect(await http.ok(bulkDelete, { project: "nowhere" })).toMatchObject({ deleted: 0, ids: [] });
    expect(await newestDelete()).toMatchObject({ details: { deleted: 0 } });
  });

  test("writes no audit entry for a dry run", async () => {
    await http.ok(bulkDelete, { dryRun: true });
    expect(await newestDelete()).toBeUndefined();
  });

  test.each([
    ["no filter", {}],
    ["only a reason", { reason: "clean up" }],
    ["all agents, which is no filter", { agentId: "*" }],
    ["an unknown type", { type: ["opinion"] }],
    ["no types", { type: [] }],
    ["a date that is none", { dateFrom: "2026-02-30" }],
    ["inverted dates", { dateFrom: "2026-03-02", dateTo: "2026-03-01" }],
    ["a quality beyond 1", { qualityBelow: 1.5 }],
    ["a dry run that is no boolean", { project: "shop", dryRun: "yes" }],
  ])("refuses %s", async (_, input) => {
    await store("stays", { project: "shop" });
    expect((await http.reply(bulkDelete, input)).status).toBe(400);
    expect(await left()).toHaveLength(1);
  });

  test("deletes nothing when dryRun in the query is misspelt", async () => {
    await store("stays", { project: "shop" });
    const reply = await http.reply(bulkDelete, { project: "shop" }, { query: { dryRun: "ture" } });
    expect(reply.status).toBe(400);
    expect(await left()).toHaveLength(1);
  });

  test("deletes tens of thousands of memories in one call", async () => {
    await http.writeSql(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40000)
         INSERT INTO memories (id, title, content, type, concepts, files, version, is_latest, source_observation_ids,
           session_ids, supersedes, related_ids, created_at, updated_at, strength_anchor, strength_anchor_at, stability_days)
         SELECT 'mem_' || i, 't', 'c', 'fact', '[]', '[]', 1, 1, '[]', '[]', '[]', '[]', 0, 0, 1, 0, 180 FROM n`);
    const preview = await http.ok(bulkDelete, { type: ["fact"], dryRun: true });
    expect(preview).toMatchObject({ wouldDelete: 40_000, truncated: true });
    expect(preview.ids).toHaveLength(10_000);
    expect(await http.ok(bulkDelete, { type: ["fact"] })).toMatchObject({ deleted: 40_000 });
    expect((await http.reply(getMemory, { id: "mem_1" })).status).toBe(404);
  });
});

import { describe, expect, test } from "vitest";
import { listAudit } from "../../src/governance/audit/operations.ts";
import {
  evolve,
  forget,
  getMemory,
  listMemories,
  remember,
} from "../../src/knowledge/memories/operations.ts";
import type { Memory } from "../../src/knowledge/memories/record.ts";
import { listRelations } from "../../src/knowledge/memories/relations/operations.ts";
import { fullSearch, smartSearch } from "../../src/recall/search/operations.ts";
import { dayMs } from "../../src/time/durations.ts";
import { forEachTest } from "../support/for-each-test.ts";
import { openTestHttp } from "../support/http.ts";
import { memorySteps } from "../support/memory-steps.ts";

const http = forEachTest(openTestHttp);

const { found, memory, remembered } = memorySteps(http);

describe("evolving a memory", () => {
  test("creates the next version with the new text and all other fields unchanged", async () => {
    const first = await http.ok(remember, {
      content: "jitter half",
      title: "Jitter",
      type: "bug",
      project: "shop",
      concepts: ["retry"],
      files: ["r.ts"],
      ttlDays: 10,
      agentId: "ann",
    });
    http.advance(dayMs);
    const reply = await http.reply(evolve, { memoryId: first.memoryId, newContent: "jitter full" });
    expect(reply.status).toBe(200);
    const { memoryId } = reply.body;
    expect(reply.body).toMatchObject({
      success: true,
      previousId: first.memoryId,
      version: 2,
      isLatest: true,
      strength: 1,
    });
    expect(reply.body.memory).toEqual({
      ...first.memory,
      id: memoryId,
      content: "jitter full",
      version: 2,
      parentId: first.memoryId,
      supersedes: [first.memoryId],
      relatedIds: [first.memoryId],
      createdAt: "2026-03-02T12:00:00.000Z",
      updatedAt: "2026-03-02T12:00:00.000Z",
    });
    expect(await found("jitter")).toEqual([memoryId]);
    const { entries } = await http.ok(listAudit, { operation: "evolve" });
    expect(entries).toMatchObject([
      { targetIds: [memoryId, first.memoryId], details: { previousId: first.memoryId, version: 2 } },
    ]);
  });

  test("keeps a generated title, but shows the current text in its place", async () => {
    const { memoryId: first } = await http.ok(remember, { content: "The shop supports IE 11" });
    const { memoryId } = await http.ok(evolve, { memoryId: first, newContent: "IE 11 is gone" });
    const { memoryId: next, memory: answered } = await http.ok(evolve, {
      memoryId,
      newContent: "IE 11 is long gone",
    });
    expect(answered.presentTitle).toBe("IE 11 is long gone");
    const given = await http.ok(remember, { content: "Only Safari 15 and newer", title: "Browsers" });
    await http.ok(evolve, { memoryId: given.memoryId, newContent: "Only Safari 16 and newer" });
    const { memories } = (await http.reply(listMemories, {})).body as { memories: Memory[] };
    expect(memories.map(({ title, presentTitle }) => [title, presentTitle])).toEqual([
      ["Browsers", undefined],
      ["Browsers", undefined],
      ["The shop supports IE 11", "IE 11 is long gone"],
      ["The shop supports IE 11", "IE 11 is gone"],
      ["The shop supports IE 11", undefined],
    ]);
    await http.ok(remember, { content: "The old cart is kept for ninety days" });
    const again = await http.ok(remember, { content: "The old cart is kept for sixty days" });
    expect([again.version, again.memory.presentTitle]).toEqual([2, "The old cart is kept for sixty days"]);
    const told = { title: "The shop supports IE 11", presentTitle: "IE 11 is long gone" };
    expect((await http.ok(getMemory, { id: next })).memory).toMatchObject(told);
    const search = async (input: object) => (await http.ok(smartSearch, input)).results;
    expect(await search({ query: "IE 11" })).toMatchObject([{ title: "IE 11 is long gone" }]);
    expect(await search({ expandIds: [next] })).toMatchObject([
      { title: "IE 11 is long gone", memory: told },
    ]);
    expect(await search({ query: "Safari" })).toMatchObject([{ title: "Browsers" }]);
    const { results, text } = await http.ok(fullSearch, { query: "IE 11", format: "narrative" });
    expect(results).toMatchObject([{ title: "IE 11 is long gone" }]);
    expect(text).not.toContain("supports");
    const around = (await http.ok(listRelations, { memoryId: first })).memories;
    expect(around?.map(({ memory }) => memory.presentTitle)).toEqual(["IE 11 is gone", "IE 11 is long gone"]);
    const { results: full } = await http.ok(fullSearch, { query: "IE 11" });
    expect(full).toMatchObject([{ observation: { title: "IE 11 is long gone" } }]);
  });

  test("forgetting a text also takes it out of the titles that later versions have from it", async () => {
    const { memoryId: first } = await http.ok(remember, { content: "Ann is on sick leave\nuntil May" });
    const { memoryId: second } = await http.ok(evolve, {
      memoryId: first,
      newContent: "Bob takes the calls",
    });
    const { memoryId: third } = await http.ok(evolve, { memoryId: second, newContent: "Cy takes the calls" });
    const given = await http.ok(remember, { content: "Only Safari 15 and newer", title: "Browsers" });
    const { memoryId: kept } = await http.ok(evolve, {
      memoryId: given.memoryId,
      newContent: "All browsers",
    });
    http.advance(dayMs);
    await http.ok(forget, { memoryId: first });
    await http.ok(forget, { memoryId: given.memoryId });
    expect(await found("sick leave")).toEqual([]);
    expect(await memory(third)).toMatchObject({
      title: "Cy takes the calls",
      updatedAt: "2026-03-02T12:00:00.000Z",
    });
    expect((await memory(second)).title).toBe("Bob takes the calls");
    expect((await memory(kept)).title).toBe("Browsers");
    expect(await found("Cy calls")).toEqual([third]);
  });

  test("makes an earlier version point to the latest one", async () => {
    const { memoryId: first } = await http.ok(remember, { content: "staging uses falcon" });
    const { memoryId: second } = await http.ok(evolve, { memoryId: first, newContent: "staging uses kite" });
    const { memoryId: third } = await http.ok(evolve, { memoryId: second, newContent: "staging uses swift" });
    const named = async (id: string) => (await http.ok(getMemory, { id })).memory.latestId;
    expect([await named(first), await named(second), await named(third)]).toEqual([third, third, undefined]);
    const { results } = await http.ok(smartSearch, { expandIds: [first] });
    expect(results).toMatchObject([{ memory: { latestId: third } }]);
    await http.ok(forget, { memoryId: third });
    expect(await named(first)).toBe(second);
    await http.ok(forget, { memoryId: second });
    expect(await named(first)).toBeUndefined();
  });

  test("that has expired creates a version that does not expire", async () => {
    const { memoryId: first } = await http.ok(remember, { content: "staging uses falcon", ttlDays: 1 });
    http.advance(2 * dayMs);
    const { memoryId, memory } = await http.ok(evolve, {
      memoryId: first,
      newContent: "staging keeps falcon",
    });
    expect(memory).not.toHaveProperty("forgetAfter");
    expect(await found("falcon")).toEqual([memoryId]);
    await http.core.evictFaded();
    expect(await found("falcon")).toEqual([memoryId]);
    await http.core.evictFaded();
    expect((await http.ok(listAudit, { operation: "evict" })).entries).toMatchObject([
      { targetIds: [first] },
    ]);
  });

  test("sets a new title and keeps the earned stability", async () => {
    const id = await remembered("crow");
    await memory(id);
    const { memory: evolved } = await http.ok(evolve, {
      memoryId: id,
      newContent: "raven",
      newTitle: "Birds",
    });
    expect(evolved).toMatchObject({ title: "Birds", stabilityDays: 234, strength: 1, recallCount: 0 });
    expect(evolved).not.toHaveProperty("lastRecalledAt");
  });

  test("that is unknown is a 404", async () => {
    expect((await http.reply(evolve, { memoryId: "mem_x", newContent: "y" })).status).toBe(404);
  });

  test("through an outdated version is a 409 that names the latest", async () => {
    const first = await remembered("one");
    const second = (await http.ok(evolve, { memoryId: first, newContent: "two" })).memoryId;
    const third = (await http.ok(evolve, { memoryId: second, newContent: "three" })).memoryId;
    const reply = await http.reply(evolve, { memoryId: first, newContent: "four" });
    expect(reply.status).toBe(409);
    expect(reply.body).toEqual({ error: expect.any(String), latestId: third });
  });

  test("continues from the highest version left when the latest was forgotten", async () => {
    const first = await remembered("one");
    const second = (await http.ok(evolve, { memoryId: first, newContent: "two" })).memoryId;
    const third = (await http.ok(evolve, { memoryId: second, newContent: "three" })).memoryId;
    await http.ok(forget, { memoryId: third });
    expect((await http.reply(evolve, { memoryId: first, newContent: "x" })).status).toBe(409);
    expect(await http.ok(evolve, { memoryId: second, newContent: "x" })).toMatchObject({
      version: 3,
      previousId: second,
    });
  });

  test("twice at once succeeds for one and is a 409 for the other", async () => {
    const id = await remembered("one");
    const replies = await Promise.all(
      ["a", "b"].map((newContent) => http.reply(evolve, { memoryId: id, newContent })),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
  });
});

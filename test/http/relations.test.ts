import { describe, expect, test } from "vitest";
import { observe } from "../../src/capture/observations/operations.ts";
import { listAudit } from "../../src/governance/audit/operations.ts";
import { evolve, forget, getMemory, remember } from "../../src/knowledge/memories/operations.ts";
import { listRelations, relate } from "../../src/knowledge/memories/relations/operations.ts";
import { dayMs } from "../../src/time/durations.ts";
import { forEachTest } from "../support/for-each-test.ts";
import { openTestHttp } from "../support/http.ts";

const http = forEachTest(openTestHttp);

type Fields = Readonly<Record<string, unknown>>;

async function memory(content: string, fields: Fields = {}, from = http) {
  return (await from.ok(remember, { content, ...fields })).memoryId;
}

/** A chain of related memories, each relation with confidence 0.5. */
async function chain(...contents: string[]) {
  const ids: string[] = [];
  for (const content of contents) {
    const id = await memory(content);
    const before = ids.at(-1);
    const ends = { sourceId: before ?? "", targetId: id, type: "related", confidence: 0.5 } as const;
    if (before !== undefined) await http.ok(relate, ends);
    ids.push(id);
  }
  return ids;
}

describe("relating two memories", () => {
  test("stores the relation, lists each in the other and keeps their versions", async () => {
    const [sourceId, targetId] = [await memory("alpha one"), await memory("beta two")];
    http.advance(1_000);
    const reply = await http.reply(relate, { sourceId, targetId, type: "contradicts", confidence: 0.7 });
    expect(reply.status).toBe(201);
    expect(reply.body).toMatchObject({
      relationId: expect.stringMatching(/^rel_/u),
      relation: { type: "contradicts", sourceId, targetId, confidence: 0.7 },
      created: true,
    });
    const { memory: source } = await http.ok(getMemory, { id: sourceId });
    const { memory: target } = await http.ok(getMemory, { id: targetId });
    expect(source).toMatchObject({ relatedIds: [targetId], version: 1, isLatest: true });
    expect(source.updatedAt).toBe("2026-03-01T12:00:01.000Z");
    expect(target).toMatchObject({ relatedIds: [sourceId], version: 1, isLatest: true });
    const thirdId = await memory("gamma three");
    await http.ok(relate, { sourceId: thirdId, targetId: sourceId, type: "related" });
    expect((await http.ok(getMemory, { id: sourceId })).memory.relatedIds).toEqual([thirdId, targetId]);
  });

  test("computes the confidence from sessions and times when none is given", async () => {
    const sourceId = await memory("alpha one", { sessionId: "s1" });
    const targetId = await memory("beta two", { sessionId: "s1" });
    const { relation } = await http.ok(relate, { sourceId, targetId, type: "extends" });
    expect(relation.confidence).toBe(0.7);
  });

  test("raises the confidence by 0.1 per common session, up to three, and adjusts it by type", async () => {
    const sources: string[] = [];
    for (const sessionId of ["s1", "s2", "s3", "s4"]) {
      const event = { sessionId, project: "shop", cwd: "/w", hookType: "stop", timestamp: "2026-03-01" };
      sources.push((await http.ok(observe, event)).observationId);
    }
    const confidence = async (shared: number, type: "related" | "supersedes" | "contradicts") => {
      const fields = { sourceObservationIds: sources.slice(0, shared) };
      const sourceId = await memory(`alpha ${type}${shared}`, fields);
      const targetId = await memory(`beta ${type}${shared}`, fields);
      return (await http.ok(relate, { sourceId, targetId, type })).relation.confidence;
    };
    expect([
      await confidence(0, "related"),
      await confidence(2, "related"),
      await confidence(3, "related"),
      await confidence(4, "related"),
      await confidence(0, "supersedes"),
      await confidence(0, "contradicts"),
    ]).toEqual([0.6, 0.8, 0.9, 0.9, 0.7, 0.55]);
  });

  test("is surer if both were updated within 7 days, less sure if both were over 90 days ago", async () => {
    const confidence = async (first: number, second: number) => {
      const sourceId = await memory(`alpha ${first}-${second}`);
      http.advance(first - second);
      const targetId = await memory(`beta ${first}-${second}`);
      http.advance(second);
      return (await http.ok(relate, { sourceId, targetId, type: "related" })).relation.confidence;
    };
    expect([
      await confidence(7 * dayMs, 0),
      await confidence(7 * dayMs + 1, 0),
      await confidence(100 * dayMs, 90 * dayMs),
      await confidence(100 * dayMs, 90 * dayMs + 1),
    ]).toEqual([0.6, 0.5, 0.5, 0.4]);
  });

  test("again returns the known relation with a 200, and updates a given confidence", async () => {
    const [sourceId, targetId] = [await memory("alpha one"), await memory("beta two")];
    const ends = { sourceId, targetId, type: "related" } as const;
    const { relationId } = await http.ok(relate, { ...ends, confidence: 0.3 });
    const same = await http.reply(relate, ends);
    expect([same.status, same.body.relationId]).toEqual([200, relationId]);
    expect(same.body.relation).toMatchObject({ confidence: 0.3 });
    const surer = await http.reply(relate, { ...ends, confidence: 0.9 });
    expect([surer.status, surer.body.relationId]).toEqual([200, relationId]);
    expect(surer.body.relation).toMatchObject({ confidence: 0.9 });
    expect((await http.reply(relate, { ...ends, confidence: 0.9 })).body.created).toBe(false);
    expect((await http.ok(listRelations, {})).total).toBe(1);
    const { entries } = await http.ok(listAudit, { operation: "relation_create" });
    expect(entries).toHaveLength(2);
    expect(entries[1]).toMatchObject({
      functionId: "memory.relate",
      targetIds: [relationId, sourceId, targetId],
      details: { type: "related" },
    });
    const other = await http.reply(relate, { ...ends, type: "derives" });
    expect(other.status).toBe(201);
    expect((await http.ok(getMemory, { id: sourceId })).memory.relatedIds).toEqual([targetId]);
    const around = await http.ok(listRelations, { memoryId: sourceId, minConfidence: 0.9 });
    expect(around.memories?.map(({ memory: { id } }) => id)).toEqual([targetId]);
  });

  test("refuses an invalid relation with a 400 and an unknown memory with a 404", async () => {
    const id = await memory("alpha one");
    const type = "related";
    for (const fields of [
      { sourceId: id, targetId: id, type },
      { sourceId: id, targetId: "mem_x", type: "hates" },
      { sourceId: id, type },
      { sourceId: id, targetId: "mem_x", type, confidence: 2 },
    ])
      expect((await http.reply(relate, fields)).status).toBe(400);
    expect((await http.reply(relate, { sourceId: id, targetId: "mem_x", type })).status).toBe(404);
    expect((await http.reply(relate, { sourceId: "mem_x", targetId: id, type })).status).toBe(404);
  });
});

describe("listing relations", () => {
  test("includes relations between versions, newest first, filtered by type and paged", async () => {
    const id = await memory("alpha one");
    const { memoryId } = await http.ok(evolve, { memoryId: id, newContent: "alpha two" });
    http.advance(1_000);
    await http.ok(relate, { sourceId: memoryId, targetId: await memory("gamma three"), type: "derives" });
    const { relations, total } = await http.ok(listRelations, {});
    expect(relations.map(({ type }) => type)).toEqual(["derives", "supersedes"]);
    expect(relations[1]).toMatchObject({ sourceId: memoryId, targetId: id, confidence: 1 });
    expect(relations.map(({ sourceTitle, targetTitle }) => [sourceTitle, targetTitle])).toEqual([
      ["alpha two", "gamma three"],
      ["alpha two", "alpha one"],
    ]);
    expect(total).toBe(2);
    expect(await http.ok(listRelations, { type: "supersedes" })).toMatchObject({ total: 1 });
    const page = await http.ok(listRelations, { limit: 1, offset: 1 });
    expect([page.relations[0]?.type, page.total]).toEqual(["supersedes", 2]);
    expect(page).not.toHaveProperty("memories");
  });

  test("of a memory also returns memories around it, with the product of the confidences", async () => {
    const [first = "", second = "", third = "", fourth = ""] = await chain(
      "aa one",
      "bb two",
      "cc three",
      "dd four",
    );
    const answer = await http.ok(listRelations, { memoryId: second });
    expect(answer.total).toBe(2);
    expect(answer.memories?.map(({ memory, hop, confidence }) => [memory.id, hop, confidence])).toEqual([
      [third, 1, 0.5],
      [first, 1, 0.5],
      [fourth, 2, 0.25],
    ]);
    expect((await http.ok(listRelations, { memoryId: first })).memories).toHaveLength(2);
    const near = await http.ok(listRelations, { memoryId: second, maxHops: 1 });
    expect(near.memories).toHaveLength(2);
    const sure = await http.ok(listRelations, { memoryId: first, maxHops: 5, minConfidence: 0.2 });
    expect(sure.memories?.map(({ memory }) => memory.id)).toEqual([second, third]);
  });

  test("takes the surest of several paths of the same length, and stops at cycles", async () => {
    const [a = "", b = "", c = ""] = await chain("aa one", "bb two", "cc three");
    const d = await memory("dd four");
    const type = "related";
    await http.ok(relate, { sourceId: a, targetId: d, type, confidence: 1 });
    await http.ok(relate, { sourceId: d, targetId: c, type, confidence: 0.9 });
    const { memories } = await http.ok(listRelations, { memoryId: a, maxHops: 5 });
    expect(memories?.map(({ memory, hop, confidence }) => [memory.id, hop, confidence])).toEqual([
      [d, 1, 1],
      [b, 1, 0.5],
      [c, 2, 0.9],
    ]);
  });

  test("of an unknown memory is a 404, and with an invalid field a 400", async () => {
    expect((await http.reply(listRelations, { memoryId: "mem_x" })).status).toBe(404);
    for (const fields of [{ type: "hates" }, { maxHops: 6 }, { maxHops: 0 }, { minConfidence: 2 }])
      expect((await http.reply(listRelations, fields)).status).toBe(400);
  });

  test("leaves out the relations of a forgotten memory", async () => {
    const [first = "", second = ""] = await chain("aa one", "bb two");
    await http.ok(forget, { memoryId: second });
    expect(await http.ok(listRelations, {})).toMatchObject({ total: 0 });
    expect((await http.ok(getMemory, { id: first })).memory.relatedIds).toEqual([]);
  });
});

test("a forgotten memory is removed from the related ids of later versions of another", async () => {
  const [first, other] = await chain("alpha one", "beta two");
  const { memoryId: second } = await http.ok(evolve, { memoryId: first ?? "", newContent: "gamma three" });
  const { memoryId: third } = await http.ok(evolve, { memoryId: second, newContent: "delta four" });
  expect((await http.ok(getMemory, { id: third })).memory.relatedIds).toEqual([second, first, other]);
  await http.ok(forget, { memoryId: other ?? "" });
  expect((await http.ok(getMemory, { id: third })).memory.relatedIds).toEqual([second, first]);
  expect((await http.ok(getMemory, { id: second })).memory.relatedIds).toEqual([third, first]);
});

test("later versions do not list forgotten earlier versions as related", async () => {
  const store = async (content: string) => (await http.ok(remember, { content })).memoryId;
  const next = async (memoryId: string, newContent: string) =>
    (await http.ok(evolve, { memoryId, newContent })).memoryId;
  const first = await store("herons nest in tall trees");
  const second = await next(first, "storks breed on chimneys");
  const third = await next(second, "swifts sleep in flight");
  await http.ok(forget, { memoryId: second });
  await http.ok(forget, { memoryId: first });
  expect((await http.ok(getMemory, { id: third })).memory.relatedIds).toEqual([]);
});

test("isolated agents see and create relations only between their own memories", async () => {
  const isolated = await openTestHttp({ env: { MEMSVC_AGENT_SCOPE: "isolated" } });
  const [a1, a2] = [
    await memory("aa one", { agentId: "a" }, isolated),
    await memory("bb two", { agentId: "a" }, isolated),
  ];
  const b1 = await memory("cc three", { agentId: "b" }, isolated);
  const type = "related";
  await isolated.ok(relate, { sourceId: a1, targetId: a2, type, agentId: "a" });
  await isolated.ok(relate, { sourceId: a2, targetId: b1, type, agentId: "*" });
  const own = await isolated.ok(listRelations, { agentId: "a", memoryId: a1 });
  expect([own.total, own.memories?.length]).toEqual([1, 1]);
  for (const [agentId, seen] of [
    ["a", 1],
    ["b", 0],
  ] as const)
    expect((await isolated.ok(listRelations, { agentId })).total).toBe(seen);
  expect((await isolated.ok(listRelations, { agentId: "*" })).total).toBe(2);
  expect((await isolated.reply(listRelations, {})).status).toBe(400);
  expect((await isolated.reply(listRelations, { agentId: "b", memoryId: a1 })).status).toBe(404);
  const foreign = { sourceId: b1, targetId: a1, type, agentId: "b" };
  expect((await isolated.reply(relate, foreign)).status).toBe(404);
  await isolated.close();
});

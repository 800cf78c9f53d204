import { describe, expect, test } from "vitest";
import { listAudit } from "../../src/governance/audit/operations.ts";
import { getMemory, listMemories, remember } from "../../src/knowledge/memories/operations.ts";
import { dayMs } from "../../src/time/durations.ts";
import { forEachTest } from "../support/for-each-test.ts";
import { dumpStore, openTestHttp } from "../support/http.ts";
import { memorySteps } from "../support/memory-steps.ts";

const http = forEachTest(openTestHttp);

const { found, memory, observed, remembered } = memorySteps(http);

describe("remembering a memory", () => {
  test("creates version 1 with full strength and returns it as stored", async () => {
    const reply = await http.reply(remember, {
      content: "\n  Retries use exponential backoff\nand at most five tries",
      type: "architecture",
      project: "shop",
      concepts: [" retry ", "", "retry", "backoff"],
      files: ["src/retry.ts"],
      sessionId: "s9",
    });
    expect(reply.status).toBe(201);
    expect(reply.body).toMatchObject({ success: true, strength: 1, version: 1, isLatest: true });
    expect(reply.body).not.toHaveProperty("superseded");
    expect(reply.body).not.toHaveProperty("similarTo");
    expect(reply.body.memory).toEqual({
      id: reply.body.memoryId,
      title: "Retries use exponential backoff",
      content: "\n  Retries use exponential backoff\nand at most five tries",
      type: "architecture",
      concepts: ["retry", "backoff"],
      files: ["src/retry.ts"],
      strength: 1,
      version: 1,
      isLatest: true,
      project: "shop",
      sourceObservationIds: [],
      createdAt: "2026-03-01T12:00:00.000Z",
      updatedAt: "2026-03-01T12:00:00.000Z",
      sessionIds: ["s9"],
      supersedes: [],
      relatedIds: [],
      recallCount: 0,
      stabilityDays: 730,
      origin: { channel: "agent", capturedAt: "2026-03-01T12:00:00.000Z" },
    });
  });

  test("takes the title from the first line that is not blank, cut at 80 characters", async () => {
    const { memory } = await http.ok(remember, { content: ` \n${"🙂".repeat(90)}\nmore` });
    expect(memory.title).toBe("🙂".repeat(80));
  });

  test("accepts 100,000 characters of any width and not one more", async () => {
    expect((await http.reply(remember, { content: "🙂".repeat(100_000) })).status).toBe(201);
    expect((await http.reply(remember, { content: "🙂".repeat(100_001) })).status).toBe(400);
  });

  test.each([
    ["content missing", { content: undefined }],
    ["content blank", { content: " \n\t" }],
    ["type unknown", { type: "opinion" }],
    ["title blank", { title: "  " }],
    ["title of 301 characters", { title: "x".repeat(301) }],
    ["project blank", { project: " " }],
    ["a tag that is no string", { concepts: ["a", 1] }],
    ["201 tags", { concepts: Array.from({ length: 201 }, String) }],
    ["a tag of 201 characters", { files: ["x".repeat(201)] }],
    ["201 sources", { sourceObservationIds: Array.from({ length: 201 }, String) }],
    ["ttlDays 0", { ttlDays: 0 }],
    ["ttlDays negative", { ttlDays: -1 }],
    ["ttlDays above 36500", { ttlDays: 36_500.5 }],
    ["agentId of 257 characters", { agentId: "x".repeat(257) }],
  ])("refuses %s with 400", async (_name, wrong) => {
    const reply = await http.reply(remember, { content: "something", ...wrong });
    expect(reply.status).toBe(400);
    expect(reply.body.error).toEqual(expect.any(String));
    expect((await http.ok(listAudit, {})).total).toBe(0);
  });

  test("accepts up to 36,500 days and 200 sources", async () => {
    const status = async (fields: Readonly<Record<string, unknown>>) =>
      (await http.reply(remember, { content: "herons nest in trees", ...fields })).status;
    expect([
      await status({ ttlDays: 36_500 }),
      await status({ ttlDays: 36_500.1 }),
      await status({ ttlDays: 0 }),
    ]).toEqual([201, 400, 400]);
    const sources = (count: number) => ({
      sourceObservationIds: Array.from({ length: count }, (_, at) => `o${at}`),
    });
    expect([await status(sources(200)), await status(sources(201))]).toEqual([201, 400]);
  });

  test("with ttlDays hides it from searches on expiry, until the sweep deletes it", async () => {
    const { memoryId, memory: stored } = await http.ok(remember, {
      content: "temporary falcon",
      ttlDays: 0.5,
    });
    expect(stored.forgetAfter).toBe("2026-03-02T00:00:00.000Z");
    expect(await found("falcon")).toEqual([memoryId]);
    http.advance(dayMs / 2);
    expect(await found("falcon")).toEqual([]);
    expect((await memory(memoryId)).id).toBe(memoryId);
    expect((await http.reply(listMemories, {})).body.total).toBe(1);
    await http.core.evictFaded();
    expect((await http.reply(getMemory, { id: memoryId })).status).toBe(404);
    expect((await http.ok(listAudit, { operation: "evict" })).entries[0]?.targetIds).toEqual([memoryId]);
  });

  test("lets it be read from an offset, counted in characters", async () => {
    const id = await remembered("🧠 walrus");
    const from = async (offset: number) => (await http.ok(getMemory, { id, offset })).memory.content;
    expect([await from(0), await from(2), await from(99)]).toEqual(["🧠 walrus", "walrus", ""]);
  });

  test("takes its sessions from the request and from known source observations", async () => {
    const [known] = await observed("s1", "hello");
    const { memory } = await http.ok(remember, {
      content: "sourced",
      sessionId: "s0",
      sourceObservationIds: [known ?? "", "obs_unknown"],
    });
    expect(memory.sessionIds).toEqual(["s0", "s1"]);
    expect(memory.sourceObservationIds).toEqual([known, "obs_unknown"]);
  });

  test("redacts secrets in content, title and concepts", async () => {
    const secret = "sk-proj-abcdefghij0123456789KLMNOP";
    await http.ok(remember, { content: `key ${secret}`, title: `t ${secret}`, concepts: [`c ${secret}`] });
    expect(await dumpStore(http)).not.toContain(secret);
  });

  test("writes one audit entry without any content", async () => {
    const id = await remembered("walrus");
    const { entries } = await http.ok(listAudit, {});
    expect(entries).toMatchObject([
      {
        operation: "remember",
        functionId: "memory.remember",
        targetIds: [id],
        details: { type: "fact", version: 1 },
      },
    ]);
    expect(JSON.stringify(entries)).not.toContain("walrus");
  });
});

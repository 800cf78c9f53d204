import { describe, expect, test } from "vitest";
import { listAudit } from "../../src/governance/audit/operations.ts";
import { bulkDelete, deleteMemories } from "../../src/governance/deletion/operations.ts";
import { autoForget, evict } from "../../src/governance/retention/operations.ts";
import { createSnapshot, restoreSnapshot } from "../../src/governance/snapshots/operations.ts";
import { importStore } from "../../src/governance/transfer/operations.ts";
import { rebuildSnapshot, resetGraph } from "../../src/graph/operations.ts";
import { sweeps } from "../../src/jobs/sweeps.ts";
import { deleteLesson, saveLesson, strengthenLesson } from "../../src/knowledge/lessons/operations.ts";
import { evolve, forget, listMemories, remember } from "../../src/knowledge/memories/operations.ts";
import { forEachTest } from "../support/for-each-test.ts";
import { openTestHttp, type Sending, type TestHttp } from "../support/http.ts";

const http = forEachTest(() => openTestHttp({ env: { MEMSVC_USER_ID: "ann@example.org" } }));

async function operations(query: Readonly<Record<string, unknown>> = {}) {
  const reply = await http.reply(listAudit, query);
  return (reply.body.entries as { operation: string }[]).map(({ operation }) => operation);
}

describe("the audit trail", () => {
  test("has one entry per change, newest first, with the agent and the user", async () => {
    const { memoryId } = await http.ok(remember, { content: "one", agentId: "bob" });
    http.advance(1);
    const evolved = await http.ok(evolve, { memoryId, newContent: "two" });
    http.advance(1);
    await http.ok(forget, { memoryId: evolved.memoryId });
    expect(await operations()).toEqual(["forget", "evolve", "remember"]);
    const { entries } = await http.ok(listAudit, { operation: "remember" });
    expect(entries).toEqual([
      {
        id: expect.stringMatching(/^aud_[0-9a-z]{26}$/u),
        timestamp: "2026-03-01T12:00:00.000Z",
        operation: "remember",
        functionId: "memory.remember",
        targetIds: [memoryId],
        details: { type: "fact", version: 1 },
        agentId: "bob",
        userId: "ann@example.org",
      },
    ]);
  });

  test("gets no entry from requests that fail or only read", async () => {
    await http.reply(remember, { content: "" });
    await http.reply(evolve, { memoryId: "mem_x", newContent: "y" });
    await http.reply(forget, { memoryId: "mem_x" });
    await http.ok(listMemories, {});
    expect(await operations()).toEqual([]);
  });

  test("can be filtered by operation, agent, target and time", async () => {
    const { memoryId } = await http.ok(remember, { content: "one", agentId: "bob" });
    http.advance(60_000);
    await http.ok(remember, { content: "another thing" });
    expect(await operations({ agentId: "bob" })).toHaveLength(1);
    expect(await operations({ agentId: "*" })).toHaveLength(2);
    expect(await operations({ targetId: memoryId })).toHaveLength(1);
    expect(await operations({ since: "2026-03-01T12:01:00Z" })).toHaveLength(1);
    expect(await operations({ since: "2026-03-01T12:01:00.001Z" })).toHaveLength(0);
    expect(await operations({ operation: "evolve" })).toEqual([]);
  });

  test("names the agent of the request, not the agent of the record", async () => {
    const { memoryId } = await http.ok(remember, { content: "one", agentId: "bob" });
    const { lesson } = await http.ok(saveLesson, { content: "look twice", agentId: "bob" });
    const agent = await openTestHttp({ env: { AGENT_ID: "ann" } });
    const own = await agent.ok(remember, { content: "hers" });
    await agent.ok(deleteMemories, { memoryIds: [own.memoryId] });
    expect((await agent.ok(listAudit, { operation: "delete" })).entries[0]?.agentId).toBe("ann");
    await agent.close();
    const { memoryId: second } = await http.ok(evolve, { memoryId, newContent: "two" });
    await http.ok(strengthenLesson, { lessonId: lesson.id });
    await http.ok(deleteLesson, { lessonId: lesson.id, agentId: "bob" });
    const byTarget = async (targetId: string) =>
      (await http.ok(listAudit, { targetId })).entries.map(({ operation, agentId }) => [operation, agentId]);
    expect(await byTarget(second)).toEqual([["evolve", undefined]]);
    expect(await byTarget(lesson.id)).toEqual([
      ["lesson_delete", "bob"],
      ["lesson_strengthen", undefined],
      ["lesson_save", "bob"],
    ]);
  });

  describe("names the agent of an operation that is not scoped by agent:", () => {
    const asked = async (from: TestHttp, sending: Sending) => {
      const contents = ["one two three", "four five six", "seven eight nine"];
      const ids: string[] = [];
      for (const content of contents)
        ids.push((await from.ok(remember, { content, ttlDays: 1 }, sending)).memoryId);
      const [first = ""] = ids;
      await from.ok(deleteMemories, { memoryIds: [first] }, sending);
      await from.ok(bulkDelete, { project: "nowhere" }, sending);
      const { snapshot } = await from.ok(createSnapshot, {}, sending);
      await from.ok(restoreSnapshot, { snapshotId: snapshot.id }, sending);
      await from.ok(createSnapshot, {}, sending);
      const { body: exportData } = await from.send("/export", sending);
      await from.ok(importStore, { exportData }, sending);
      await from.ok(rebuildSnapshot, {}, sending);
      await from.ok(resetGraph, {}, sending);
      from.advance(2 * 86_400_000);
      await from.ok(evict, {}, sending);
      await from.ok(importStore, { exportData, strategy: "replace" }, sending);
      await from.ok(autoForget, {}, sending);
      const { entries } = await from.ok(listAudit, { limit: 100 });
      return operations.map((operation) => [
        operation,
        ...new Set(entries.filter((entry) => entry.operation === operation).map(({ agentId }) => agentId)),
      ]);
    };
    const operations = [
      "delete",
      "snapshot_create",
      "snapshot_restore",
      "export",
      "import",
      "graph_snapshot",
      "graph_reset",
      "evict",
      "auto_forget",
    ];

    test("AGENT_ID by default", async () => {
      const ann = await openTestHttp({ env: { AGENT_ID: "ann" } });
      const agents = await asked(ann, {});
      await ann.close();
      expect(agents).toEqual(operations.map((operation) => [operation, "ann"]));
    });

    test("the caller's agent if there is one, which does not become a delete filter", async () => {
      const ann = await openTestHttp({ env: { AGENT_ID: "ann" } });
      const agents = await asked(ann, { headers: { "x-memsvc-agent": "bob" } });
      const { entries } = await ann.ok(listAudit, { operation: "delete" });
      await ann.close();
      expect(agents).toEqual(operations.map((operation) => [operation, "bob"]));
      expect(entries.map(({ details }) => details.filters)).toEqual([{ project: "nowhere" }, undefined]);
    });
  });

  test("is filtered by the first 128 characters of an agent's name, as it is stored", async () => {
    const agentId = "a".repeat(200);
    const { memoryId } = await http.ok(remember, { content: "one", agentId });
    expect(await operations({ agentId })).toEqual(["remember"]);
    expect(await http.ok(bulkDelete, { agentId })).toMatchObject({ deleted: 1, ids: [memoryId] });
  });

  test("returns an empty list for an unknown operation, which is no error", async () => {
    const reply = await http.reply(listAudit, { operation: "no_such_thing" });
    expect(reply.body).toEqual({ success: true, entries: [], total: 0, offset: 0, limit: 50 });
  });

  test("lists at most 1,000 targets per entry and counts the rest", async () => {
    const { core } = http;
    const targetIds = Array.from({ length: 1_001 }, (_, at) => `mem_${at}`);
    await core.ground.store.write((tx) =>
      core.audit.record(tx, { operation: "evict", functionId: "memory.evict", targetIds, details: {} }),
    );
    const [entry] = (await http.ok(listAudit, {})).entries;
    expect(entry?.targetIds).toHaveLength(1_000);
    expect(entry?.details).toEqual({ targetCount: 1_001 });
  });

  test.each([
    ["limit", "0"],
    ["limit", "-3"],
    ["limit", "ten"],
    ["limit", "1.5"],
    ["offset", "-1"],
    ["since", "yesterday"],
    ["operation", " "],
  ])("refuses %s = %j", async (field, value) => {
    const reply = await http.reply(listAudit, { [field]: value });
    expect(reply.status).toBe(400);
    expect(reply.body.issues).toMatchObject([{ path: field }]);
  });
});

describe("the sweep of old audit entries", () => {
  const sweep = async (from: TestHttp) => {
    const old = sweeps(from.core).find(({ kind }) => kind === "sweep.audit");
    if (old === undefined) throw new Error("nothing sweeps old entries");
    await old.run({ id: "job_1", kind: old.kind, key: "", payload: {}, attempts: 1 });
  };
  const afterAMonth = async (env: Readonly<Record<string, string>>) => {
    const kept = await openTestHttp({ env });
    try {
      for (let n = 0; n < 1_001; n += 1)
        await kept.core.ground.store.write((tx) =>
          kept.core.audit.record(tx, {
            operation: "remember",
            functionId: "memory.remember",
            targetIds: [`mem_${n}`],
            details: {},
          }),
        );
      kept.advance(30 * 86_400_000);
      await kept.ok(remember, { content: "still of interest" });
      kept.advance(1);
      await sweep(kept);
      await sweep(kept);
      const { entries, total } = await kept.ok(listAudit, {});
      return { total, entries };
    } finally {
      await kept.close();
    }
  };

  test("deletes entries older than the retention period and records that once", async () => {
    const { entries } = await afterAMonth({ MEMSVC_AUDIT_RETENTION_DAYS: "30" });
    expect(entries).toMatchObject([
      { operation: "sweep", functionId: "sweep.expire", details: { audit: 1_001 } },
      { operation: "remember" },
    ]);
  });

  test("counts deleted entries once, even if a write in the same transaction fails", async () => {
    const kept = await openTestHttp({ env: { MEMSVC_AUDIT_RETENTION_DAYS: "30" } });
    try {
      await kept.ok(remember, { content: "of no interest any more" });
      kept.advance(31 * 86_400_000);
      const both = [sweep(kept), kept.writeSql("DELETE FROM no_such_table")];
      expect(await Promise.allSettled(both)).toMatchObject([{ status: "fulfilled" }, { status: "rejected" }]);
      expect((await kept.ok(listAudit, {})).entries).toMatchObject([{ details: { audit: 1 } }]);
    } finally {
      await kept.close();
    }
  });

  test("deletes nothing without MEMSVC_AUDIT_RETENTION_DAYS", async () => {
    expect((await afterAMonth({})).total).toBe(1_002);
  });
});

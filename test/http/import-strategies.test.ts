import { describe, expect, test } from "vitest";
import { endSession } from "../../src/capture/sessions/operations.ts";
import { importStore } from "../../src/governance/transfer/operations.ts";
import { getMemory, listMemories, remember } from "../../src/knowledge/memories/operations.ts";
import { listRelations, relate } from "../../src/knowledge/memories/relations/operations.ts";
import { summarizeSession } from "../../src/knowledge/summaries/operations.ts";
import { smartSearch } from "../../src/recall/search/operations.ts";
import { orphansOf } from "../property/orphans.ts";
import { content, event, exported, fill, memoryInFile } from "../support/exported-store.ts";
import { forEachTest } from "../support/for-each-test.ts";
import { openTestHttp } from "../support/http.ts";

const http = forEachTest(openTestHttp);
const other = forEachTest(openTestHttp);

describe("an import", () => {
  test.each(["merge", "skip"] as const)(
    "repeated under %s writes nothing the second time",
    async (strategy) => {
      await fill(http);
      const exportData = await exported(http);
      await other.ok(importStore, { exportData, strategy });
      const before = content(await exported(other));
      const again = await other.ok(importStore, { exportData, strategy });
      expect(Object.values(again.counts).every(({ written }) => written === 0)).toBe(true);
      expect(again.skipped).toBeGreaterThan(5);
      expect(content(await exported(other))).toEqual(before);
    },
  );

  test("under merge keeps the later version and unites lists, under skip it keeps known records", async () => {
    const known = {
      ...memoryInFile,
      content: "as it was",
      updatedAt: "2026-02-01T00:00:00Z",
      sessionIds: ["a"],
    };
    await http.ok(importStore, { exportData: { memories: [known] } });
    const older = { ...known, content: "older", updatedAt: "2026-01-15T00:00:00Z", sessionIds: ["b"] };
    await http.ok(importStore, { exportData: { memories: [older] } });
    const { memory: kept } = await http.ok(getMemory, { id: "mem_a" });
    expect(kept).toMatchObject({ content: "as it was", sessionIds: ["a", "b"] });
    const newer = { ...known, content: "newer", updatedAt: "2026-02-15T00:00:00Z" };
    const skipped = await http.ok(importStore, { exportData: { memories: [newer] }, strategy: "skip" });
    expect(skipped).toMatchObject({ memories: 0, skipped: 1 });
    await http.ok(importStore, { exportData: { memories: [newer] } });
    expect((await http.ok(getMemory, { id: "mem_a" })).memory.content).toBe("newer");
    expect((await http.ok(smartSearch, { query: "newer" })).results).toHaveLength(1);
  });

  test("under replace leaves nothing of the deleted memories", async () => {
    const { memoryId } = await http.ok(remember, { content: "read once" });
    await http.ok(getMemory, { id: memoryId });
    expect(await exported(http)).toMatchObject({ accessLogs: [{ memoryId }] });
    const exportData = { version: "0.1.0", memories: [memoryInFile] };
    await http.ok(importStore, { exportData, strategy: "replace" });
    const left = await exported(http);
    expect(left).toMatchObject({ memories: [{ id: "mem_a" }], accessLogs: [] });
    expect((await http.ok(importStore, { exportData: left })).warnings).toEqual([]);
  });

  test.each(["merge", "replace"])(
    "under %s removes tombstones of records that it brings back, and updates their time",
    async (strategy) => {
      const times = { createdAt: "2026-01-01T00:00:00.000Z", updatedAt: "2026-01-01T00:00:00.000Z" };
      const node = (id: string) => ({ id, type: "concept", name: id, origin: "import", ...times });
      const exportData = {
        memories: [{ id: "mem_1", title: "Kept", content: "Queues are drained", ...times }],
        graphNodes: [node("gnd_1"), node("gnd_2")],
        graphEdges: [
          {
            id: "ged_1",
            type: "uses",
            sourceNodeId: "gnd_1",
            targetNodeId: "gnd_2",
            origin: "import",
            ...times,
          },
        ],
        tombstones: [],
      };
      const gone = [
        ["memory", "mem_1"],
        ["graphNode", "gnd_1"],
        ["graphEdge", "ged_1"],
        ["memory", "mem_9"],
      ];
      for (const [kind, id] of gone)
        await http.writeSql("INSERT INTO tombstones (kind, id, deleted_at) VALUES (?, ?, ?)", [
          kind ?? "",
          id ?? "",
          http.now() - 1,
        ]);
      await http.send("/import", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ exportData, strategy }),
      });
      const { memories, graphNodes, graphEdges, tombstones } = await exported(http);
      const now = new Date(http.now()).toISOString();
      expect([memories, graphNodes, graphEdges]).toMatchObject([
        [{ id: "mem_1", updatedAt: now }],
        [
          { id: "gnd_1", updatedAt: now },
          { id: "gnd_2", ...times },
        ],
        [{ id: "ged_1", updatedAt: now }],
      ]);
      expect(tombstones).toMatchObject(strategy === "replace" ? [] : [{ id: "mem_9" }]);
      expect(tombstones).toHaveLength(strategy === "replace" ? 0 : 1);
    },
  );

  test("under replace drops the relations of memories that are gone, whichever end they are", async () => {
    const ids: string[] = [];
    for (const content of ["Herons nest in trees", "Storks breed on chimneys", "Swifts sleep in flight"])
      ids.push((await http.ok(remember, { content })).memoryId);
    const [gone = "", kept = "", other = ""] = ids;
    for (const [sourceId, targetId] of [
      [gone, kept],
      [other, gone],
      [kept, other],
    ] as const)
      await http.ok(relate, { sourceId, targetId, type: "related" });
    const memories = (await exported(http)).memories.filter(({ id }) => id !== gone);
    const { warnings } = await http.ok(importStore, { exportData: { memories }, strategy: "replace" });
    expect(warnings).toContain("relations: those of memories that are gone were dropped");
    expect((await http.ok(listRelations, {})).relations).toMatchObject([{ sourceId: kept, targetId: other }]);
  });

  test("under replace leaves nothing of the deleted sessions", async () => {
    const observationId = await event(http, "s1", "the queue loses wakeups");
    await http.ok(endSession, { sessionId: "s1" });
    await http.ok(summarizeSession, { sessionId: "s1" });
    await http.writeSql("INSERT INTO pending_compressions (observation_id, session_id) VALUES (?, 's1')", [
      observationId,
    ]);
    const exportData = { sessions: [{ id: "s2", project: "/w/shop", startedAt: "2026-03-01" }] };
    const { warnings } = await http.ok(importStore, { exportData, strategy: "replace" });
    expect(warnings).toContain("summaries: those of sessions that are gone were dropped");
    const left = await exported(http);
    expect(left).toMatchObject({ sessions: [{ id: "s2" }], observations: {}, summaries: [] });
    expect(await orphansOf(http)).toEqual([]);
    expect((await http.ok(importStore, { exportData: left })).warnings).toEqual([]);
  });

  test("of two latest versions of a memory keeps only the higher as latest", async () => {
    const second = { ...memoryInFile, id: "mem_b", version: 2, parentId: "mem_a", supersedes: ["mem_a"] };
    const answer = await http.ok(importStore, { exportData: { memories: [memoryInFile, second] } });
    expect(answer.warnings).toContain("memories: of two latest versions of one memory the higher stays");
    const latest = await http.ok(listMemories, { latest: true });
    expect(latest).toMatchObject({ memories: [{ id: "mem_b" }] });
    expect((await http.ok(smartSearch, { query: "elsewhere" })).results).toHaveLength(1);
  });
});

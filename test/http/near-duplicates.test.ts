import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { listAudit } from "../../src/governance/audit/operations.ts";
import { diagnose } from "../../src/governance/diagnostics/operations.ts";
import { importStore } from "../../src/governance/transfer/operations.ts";
import { evolve, forget, listMemories, remember } from "../../src/knowledge/memories/operations.ts";
import { dayMs } from "../../src/time/durations.ts";
import { forEachTest } from "../support/for-each-test.ts";
import { openTestHttp } from "../support/http.ts";
import { memorySteps } from "../support/memory-steps.ts";

const http = forEachTest(openTestHttp);

const { found, memory, remembered } = memorySteps(http);

/** Ten words, the first of which are shared by all texts made in this way. */
function words(own: string, shared: number): string {
  return Array.from({ length: 10 }, (_, at) => (at < shared ? `shared${at}` : `${own}${at}`)).join(" ");
}

describe("a near-duplicate", () => {
  test.each([
    // Jaccard of two sets of ten with n members in common: n / (20 − n).
    [4, 0.25, "is another memory"],
    [6, 6 / 14, "is another memory that names the one it resembles"],
    [8, 8 / 12, "is another memory that names the one it resembles"],
    [9, 9 / 11, "is a new version"],
    [10, 1, "is a new version"],
  ])("with %i of 10 words in common (%d) %s", async (shared, similarity, effect) => {
    const first = await http.ok(remember, { content: words("old", shared), title: "Old" });
    const second = await http.ok(remember, { content: words("new", shared) });
    expect(second.version).toBe(effect === "is a new version" ? 2 : 1);
    expect(second.superseded).toBe(effect === "is a new version" ? first.memoryId : undefined);
    expect(second.similarTo).toEqual(
      effect.includes("names")
        ? { id: first.memoryId, title: "Old", similarity: Math.round(similarity * 10_000) / 10_000 }
        : undefined,
    );
  });

  test("is named by its present text, not by the title that an earlier version left it", async () => {
    const { memoryId } = await http.ok(remember, { content: "Invoices are kept in SQLite" });
    await http.ok(evolve, { memoryId, newContent: words("old", 6) });
    const alike = await http.ok(remember, { content: words("new", 6) });
    expect(alike.similarTo?.title).toBe(words("old", 6));
  });

  test("at a similarity of exactly 0.7 is only similar, and at exactly 0.4 not even that", async () => {
    // 7 of 10: one text has seven words, the other has these and three more. 4 of 10 likewise.
    await http.ok(remember, { content: words("alpha", 7).split(" ").slice(0, 7).join(" ") });
    const alike = await http.ok(remember, { content: words("alpha", 7) });
    expect([alike.version, alike.similarTo?.similarity]).toEqual([1, 0.7]);
    const other = await openTestHttp();
    await other.ok(remember, { content: words("beta", 4).split(" ").slice(0, 4).join(" ") });
    const apart = await other.ok(remember, { content: words("beta", 4) });
    expect([apart.version, apart.similarTo]).toEqual([1, undefined]);
    await other.close();
  });

  test("is not found for a shared name when other words are written with combining marks", async () => {
    for (const [first, second] of [
      ["Postgres की बैकअप रात में लो", "Postgres से पुराना डेटा हटाओ"],
      ["אַל תַּפְעִיל Postgres בַּשֶּׁרֶת", "גַּבֵּה אֶת Postgres בַּלַּיְלָה"],
    ]) {
      await remembered(first ?? "");
      const other = await http.ok(remember, { content: second ?? "" });
      expect([other.version, other.similarTo]).toEqual([1, undefined]);
      expect((await http.ok(remember, { content: `${second} !` })).superseded).toBe(other.memoryId);
    }
  });

  test("becomes a new version that keeps the old row and links to it", async () => {
    const first = await http.ok(remember, {
      content: "use tabs here",
      title: "Tabs",
      type: "preference",
      concepts: ["style"],
      files: ["a.ts"],
      sessionId: "s1",
      ttlDays: 3,
    });
    http.advance(dayMs);
    const second = await http.ok(remember, {
      content: "use tabs here",
      concepts: ["tabs"],
      files: ["b.ts"],
      sessionId: "s2",
    });
    expect(second.memory).toMatchObject({
      title: "Tabs",
      type: "preference",
      concepts: ["tabs", "style"],
      files: ["b.ts", "a.ts"],
      sessionIds: ["s2", "s1"],
      version: 2,
      strength: 1,
      isLatest: true,
      parentId: first.memoryId,
      supersedes: [first.memoryId],
      relatedIds: [first.memoryId],
    });
    expect(second.memory).not.toHaveProperty("forgetAfter");
    expect(await memory(first.memoryId)).toMatchObject({
      isLatest: false,
      version: 1,
      relatedIds: [second.memoryId],
    });
    expect(await found("tabs")).toEqual([second.memoryId]);
    const { entries } = await http.ok(listAudit, { operation: "remember" });
    expect(entries[0]).toMatchObject({
      targetIds: [second.memoryId, first.memoryId],
      details: { version: 2, superseded: first.memoryId },
    });
  });

  test("takes type and title from the request where they are given", async () => {
    await http.ok(remember, { content: "use tabs here", title: "Tabs", type: "preference" });
    const { memory } = await http.ok(remember, {
      content: "use tabs here",
      title: "Tabs!",
      type: "workflow",
    });
    expect(memory).toMatchObject({ title: "Tabs!", type: "workflow" });
  });

  test("says if the version that it replaces has the same text and title", async () => {
    const content = "use tabs here";
    expect(await http.ok(remember, { content })).not.toHaveProperty("repeats");
    expect(await http.ok(remember, { content })).toHaveProperty("repeats", true);
    expect(await http.ok(remember, { content: "Use tabs here" })).not.toHaveProperty("repeats");
    const titled = await http.ok(remember, { content: "Use tabs here", title: "Tabs" });
    expect(titled).not.toHaveProperty("repeats");
  });

  test("lists all earlier versions, nearest first", async () => {
    const ids = [await remembered("same text"), await remembered("same text"), await remembered("same text")];
    expect((await memory(ids[2] ?? "")).supersedes).toEqual([ids[1], ids[0]]);
  });

  test.each([
    ["another project", { project: "a" }, { project: "b" }],
    ["no project", { project: "a" }, {}],
    ["another agent", { agentId: "ann" }, { agentId: "bob" }],
    ["no agent", { agentId: "ann" }, {}],
  ])("is not looked for in memories of %s", async (_name, one, other) => {
    await http.ok(remember, { content: "use tabs here", ...one });
    expect((await http.ok(remember, { content: "use tabs here", ...other })).version).toBe(1);
    expect((await http.ok(remember, { content: "use tabs here", ...one })).version).toBe(2);
  });

  test.each(["?!", "  …  ", "the", "ab", "日本語", "한국어 문장"])(
    "is found for an identical text, even without words: %j",
    async (content) => {
      await http.ok(remember, { content });
      expect((await http.ok(remember, { content })).version).toBe(2);
    },
  );

  const common =
    "nightly benchmark of the importer on the staging machine, latency per stage in milliseconds";
  const numbered = (own: string, count: number) =>
    Array.from({ length: count }, (_, at) => `${own}${String.fromCharCode(97 + (at % 26))}${at}`).join(" ");
  test.each([
    ["short numbers", `${common}: 11 12 13 14 15 16`, `${common}: 21 22 23 24 25 26`, 2],
    [
      "parts of names",
      `${common} see alpha_beta_gamma_delta alphaBetaGamma`,
      `${common} see zeta_eta_theta_iota zetaEtaTheta`,
      2,
    ],
    ["many new words", numbered("old", 500), `${numbered("new", 140)}\n${numbered("old", 500)}`, 2],
    ["too many new words", numbered("old", 500), `${numbered("new", 260)}\n${numbered("old", 500)}`, 1],
    ["few words in common", words("old", 6), words("new", 6), 1],
    ["marks that end a token", "İSTANBUL şehir", "i̇stanbul şehir", 2],
    ["no words, in another case", "É !", "é !", 2],
    ["no words, with a blank more", "!!", "!!\n", 2],
    ["underscores", "___ ___", "(___)", 2],
  ])("is found alike by a running and by a new process: %s", async (_name, first, second, version) => {
    const known = `table of ports 21 22 23 24 25 26, zeta eta theta iota beta, ${numbered("new", 260)}`;
    await http.ok(remember, { content: known, project: "other" });
    for (const project of ["held", "fresh"]) {
      for (let at = 0; at < 3; at += 1) {
        const content = `${common} ${numbered(`thing${at}x`, 20)}`;
        await http.ok(remember, { content, project });
      }
      await http.ok(remember, { content: first, project });
    }
    const held = await http.ok(remember, { content: second, project: "held" });
    const process = await openTestHttp({ home: http.home });
    const fresh = await process.ok(remember, { content: second, project: "fresh" });
    await process.close();
    expect([held.version, fresh.version]).toEqual([version, version]);
    expect(fresh.similarTo?.similarity).toBe(held.similarTo?.similarity);
  });

  test("is not found for a long text that shares one word with a memory", async () => {
    await http.ok(remember, { content: "heron" });
    const long = `heron ${Array.from({ length: 40 }, (_, at) => `unheard${at}`).join(" ")}`;
    expect(await http.ok(remember, { content: long })).toMatchObject({ version: 1 });
  });

  test.each(["🙂", "temporary falcon"])(
    "is not looked for among expired memories, from the exact time of expiry: %s",
    async (content) => {
      await http.ok(remember, { content, ttlDays: 1 });
      http.advance(dayMs - 1);
      const { memoryId, ...early } = await http.ok(remember, { content, ttlDays: 1 });
      expect(early.version).toBe(2);
      http.advance(dayMs);
      const late = await http.ok(remember, { content });
      expect([late.version, late.superseded]).toEqual([1, undefined]);
      expect((await memory(memoryId)).isLatest).toBe(true);
    },
  );

  test("of two equal concurrent calls gives versions 1 and 2", async () => {
    const both = await Promise.all([1, 2].map(() => http.ok(remember, { content: "said twice at once" })));
    expect(both.map(({ version }) => version).sort()).toEqual([1, 2]);
    expect((await http.reply(listMemories, { latest: true })).body.total).toBe(1);
    expect(await found("said twice")).toEqual([both.find(({ version }) => version === 2)?.memoryId]);
    const { checks } = await http.ok(diagnose, {});
    expect(checks.filter(({ status }) => status === "fail")).toEqual([]);
  });

  test("of ten equal concurrent calls gives one chain of ten versions", async () => {
    const all = await Promise.all(
      Array.from({ length: 10 }, () => http.ok(remember, { content: "said ten times" })),
    );
    expect(all.map(({ version }) => version).sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  test("is found if it took the place of a memory that was deleted meanwhile", async () => {
    const createdAt = "2026-02-01T00:00:00Z";
    // Of so many memories, the words are not held ready.
    const memories = Array.from({ length: 150 }, (_, at) => ({
      id: `m${at}`,
      content: `word${at}`,
      createdAt,
    }));
    await http.ok(importStore, { exportData: { version: "1.0.0", memories } });
    const { memoryId } = await http.ok(remember, { content: "the newest of all" });
    const content = "said twice at once";
    // While another write takes its time, both look for similar memories, and then wait to be stored.
    const other = http.core.ground.store.writeAlone(() => sleep(100));
    await Promise.all([
      other,
      http.ok(forget, { memoryId }),
      http.ok(remember, { content }),
      http.ok(remember, { content }),
    ]);
    expect((await http.ok(listMemories, { latest: true })).total).toBe(151);
  });
});

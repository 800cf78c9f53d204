import { chmodSync, closeSync, openSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { listSessions } from "../../src/capture/sessions/operations.ts";
import { listAudit } from "../../src/governance/audit/operations.ts";
import { diagnosticCategories } from "../../src/governance/diagnostics/check.ts";
import { diagnose, heal } from "../../src/governance/diagnostics/operations.ts";
import { importStore } from "../../src/governance/transfer/operations.ts";
import { enqueue } from "../../src/jobs/jobs.ts";
import { evolve, getMemory, listMemories, remember } from "../../src/knowledge/memories/operations.ts";
import { smartSearch } from "../../src/recall/search/operations.ts";
import { dayMs } from "../../src/time/durations.ts";
import { forEachTest } from "../support/for-each-test.ts";
import { dumpStore, openTestHttp } from "../support/http.ts";
import { happenNow } from "../support/workdays.ts";

const http = forEachTest(openTestHttp);

async function findings() {
  const { checks } = await http.ok(diagnose, {});
  // A full disk or a network file system is a problem of this machine, not of the store.
  return checks.filter(
    ({ status, name }) => status !== "pass" && !["low-disk", "network-disk"].includes(name),
  );
}

const observed = (sessionId: string) =>
  happenNow(http, sessionId, "prompt_submit", { prompt: "plant a ginkgo here" }, { cwd: "/w/shop" });

const store = async (content: string) => (await http.ok(remember, { content, project: "shop" })).memoryId;

test("a healthy store passes in every category", async () => {
  await observed("s1");
  const id = await store("herons nest in tall trees");
  await http.ok(evolve, { memoryId: id, newContent: "herons nest low" });
  const { checks, summary } = await http.ok(diagnose, {});
  expect(checks.map(({ category }) => category)).toEqual(expect.arrayContaining([...diagnosticCategories]));
  expect(await findings()).toEqual([]);
  expect(summary.fail).toBe(0);
});

/** The expected finding, how to cause the fault, and what must hold again after heal. */
const faults: readonly (readonly [
  name: string,
  status: "warn" | "fail",
  breakIt: () => Promise<string[]>,
  isWell: () => Promise<void>,
])[] = [
  [
    "session-count-mismatch",
    "fail",
    async () => {
      await observed("s1");
      await http.writeSql("UPDATE sessions SET observation_count = 7");
      return ["s1"];
    },
    async () => {
      expect((await http.ok(listSessions, {})).sessions[0]?.observationCount).toBe(1);
    },
  ],
  [
    "abandoned-session",
    "warn",
    async () => {
      await observed("s1");
      http.advance(25 * 3_600_000);
      return ["s1"];
    },
    async () => {
      expect((await http.ok(listSessions, {})).sessions[0]?.status).toBe("abandoned");
    },
  ],
  [
    "memory-missing-supersedes",
    "warn",
    async () => {
      const { memoryId } = await http.ok(evolve, {
        memoryId: await store("herons nest in tall trees"),
        newContent: "herons nest low",
      });
      await http.writeSql("DELETE FROM memory_relations");
      return [memoryId];
    },
    async () => {
      const rows = await http.core.ground.store.read.sql.values("SELECT type FROM memory_relations");
      expect(rows).toEqual([["supersedes"]]);
    },
  ],
  [
    "memory-stale-latest",
    "fail",
    async () => {
      const older = await store("herons nest in tall trees");
      await http.ok(evolve, { memoryId: older, newContent: "herons nest low" });
      await http.writeSql("UPDATE memories SET is_latest = 1");
      return [older];
    },
    async () => {
      const rows = await http.core.ground.store.read.sql.values(
        "SELECT version FROM memories WHERE is_latest = 1",
      );
      expect(rows).toEqual([[2]]);
    },
  ],
  [
    "missing-index-entry",
    "fail",
    async () => {
      const id = await observed("s1");
      await happenNow(http, "s1", "prompt_submit", { prompt: "water the beeches" }, { cwd: "/w/shop" });
      await http.writeSql("DELETE FROM documents WHERE ref = ?", [id]);
      return [id];
    },
    async () => {
      expect((await http.ok(smartSearch, { query: "ginkgo", project: "shop" })).results).toHaveLength(1);
    },
  ],
  [
    "missing-index-entry",
    "fail",
    async () => {
      const id = await store("herons nest in tall trees");
      await store("cranes dance at dawn");
      await http.writeSql("DELETE FROM documents WHERE ref = ?", [id]);
      return [id];
    },
    async () => {
      expect((await http.ok(smartSearch, { query: "herons" })).results).toHaveLength(1);
    },
  ],
  [
    "orphan-index-entry",
    "fail",
    async () => {
      const id = await store("herons nest in tall trees");
      await http.writeSql("DELETE FROM memories");
      return [id];
    },
    async () => {
      expect((await http.ok(smartSearch, { query: "herons" })).results).toEqual([]);
      const { read } = http.core.ground.store;
      const purges = "SELECT status FROM jobs WHERE kind = 'index.purge'";
      expect(await read.sql.values(purges)).toEqual([["queued"]]);
    },
  ],
  [
    "failed-job",
    "warn",
    async () => {
      await http.core.ground.store.write((tx) => enqueue(tx, http.core.ground, { kind: "k", key: "a" }));
      await http.writeSql("UPDATE jobs SET status = 'failed', attempts = 4");
      const rows = await http.core.ground.store.read.sql.values("SELECT id FROM jobs");
      return rows.map(([id]) => String(id));
    },
    async () => {
      const rows = await http.core.ground.store.read.sql.values("SELECT status FROM jobs");
      expect(rows).toEqual([["queued"]]);
    },
  ],
  [
    "stuck-job",
    "fail",
    async () => {
      await http.core.ground.store.write((tx) => enqueue(tx, http.core.ground, { kind: "k", key: "a" }));
      await http.writeSql("UPDATE jobs SET status = 'running', claimed_until = ?", [http.now()]);
      http.advance(11 * 60_000);
      const rows = await http.core.ground.store.read.sql.values("SELECT id FROM jobs");
      return rows.map(([id]) => String(id));
    },
    async () => {
      const rows = await http.core.ground.store.read.sql.values("SELECT status FROM jobs");
      expect(rows).toEqual([["queued"]]);
    },
  ],
];

describe("a fault is found, and heal repairs it once:", () => {
  test.each(faults)("%s (%s)", async (name, status, breakIt, isWell) => {
    const ids = await breakIt();
    const found = (await findings()).filter((finding) => finding.name === name);
    expect(found).toMatchObject([{ status, fixable: true, ids, count: ids.length }]);
    const before = await dumpStore(http);
    expect((await http.ok(heal, { dryRun: true })).fixed).toBeGreaterThan(0);
    expect(await dumpStore(http)).toBe(before);
    const healing = await http.ok(heal, {});
    expect(healing.details.join("\n")).toContain(name);
    await isWell();
    expect((await findings()).filter((finding) => finding.name === name)).toEqual([]);
    expect((await http.ok(listAudit, { operation: "heal" })).entries).toMatchObject([
      { functionId: "diagnostics.heal", details: { fixed: healing.fixed } },
    ]);
    await http.ok(heal, {});
    expect((await http.ok(listAudit, { operation: "heal" })).total).toBe(1);
  });
});

test("up to ten memories without a project are a warning, more are a failure", async () => {
  await http.ok(remember, { content: "belongs to nobody" });
  expect(await findings()).toMatchObject([{ name: "memory-project-coverage", status: "warn", count: 1 }]);
  const note = (n: number) => http.ok(remember, { content: `note ${n} about ${"x".repeat(n + 3)}` });
  for (let n = 1; n < 10; n += 1) await note(n);
  expect(await findings()).toMatchObject([{ name: "memory-project-coverage", status: "warn", count: 10 }]);
  await note(10);
  expect(await findings()).toMatchObject([{ name: "memory-project-coverage", status: "fail", count: 11 }]);
});

test("a finding lists at most 20 records and counts all", async () => {
  const memories = Array.from({ length: 21 }, (_, at) => ({
    id: `mem_${at}`,
    content: `note ${at}`,
    createdAt: "2026-03-01",
  }));
  await http.ok(importStore, { exportData: { version: "1", memories } });
  const [finding] = await findings();
  expect([finding?.count, finding?.ids?.length]).toEqual([21, 20]);
});

test("heal counts what it repaired and skips the rest, on a dry run too", async () => {
  const source = await observed("s1");
  await http.ok(remember, { content: "nobody knows where this belongs" });
  const hopeless = {
    ...{ fixed: 0, skipped: 1, details: [] },
    skippedFindings: [
      {
        name: "memory-project-coverage",
        // The three are shown one after the other, so none repeats another.
        message: expect.stringContaining("remember its text there"),
        reason: expect.stringContaining("tells which project"),
        hint: expect.not.stringContaining("remember its text there"),
      },
    ],
  };
  const categories = ["memories"] as const;
  expect(await http.ok(heal, { categories: [...categories], dryRun: true })).toMatchObject(hopeless);
  expect(await http.ok(heal, { categories: [...categories] })).toMatchObject(hopeless);
  await http.ok(remember, { content: "said in the shop", sourceObservationIds: [source] });
  const one = { fixed: 1, skipped: 0, skippedFindings: [] };
  expect(await http.ok(heal, { categories: [...categories], dryRun: true })).toMatchObject(one);
  expect(await http.ok(heal, { categories: [...categories] })).toMatchObject(one);
  expect(await http.ok(heal, { categories: [...categories] })).toMatchObject(hopeless);
});

test("a dry run of heal counts what the real run then repairs", async () => {
  const { ground } = http.core;
  const queue = () => ground.store.write((tx) => enqueue(tx, ground, { kind: "k", key: "a" }));
  const fail = () => http.writeSql("UPDATE jobs SET status = 'failed'");
  for (let n = 0; n < 3; n += 1) {
    await queue();
    await fail();
  }
  const one = { fixed: 1, skipped: 0 };
  expect(await http.ok(heal, { categories: ["jobs"], dryRun: true })).toMatchObject(one);
  expect(await http.ok(heal, { categories: ["jobs"] })).toMatchObject(one);
});

test("a job is stuck once its claim is over by ten minutes, and not while a worker may still have it", async () => {
  const { ground } = http.core;
  await ground.store.write((tx) => enqueue(tx, ground, { kind: "k", key: "a" }));
  await http.writeSql("UPDATE jobs SET status = 'running', claimed_until = ?", [http.now() + 60_000]);
  const found = async () => {
    const { checks } = await http.ok(diagnose, { categories: ["jobs"] });
    return checks.map(({ name }) => name);
  };
  expect(await found()).toEqual(["jobs-ok"]);
  http.advance(11 * 60_000);
  expect(await found()).toEqual(["jobs-ok"]);
  http.advance(1);
  expect(await found()).toEqual(["stuck-job"]);
});

test("heal makes a home folder private that others can read", async () => {
  chmodSync(http.home, 0o755);
  expect(await findings()).toMatchObject([{ name: "file-mode", status: "warn" }]);
  await http.ok(heal, { categories: ["database"] });
  expect(statSync(http.home).mode & 0o777).toBe(0o700);
});

test("heal leaves a home of another user open, says so, and repairs the rest", async () => {
  chmodSync(http.home, 0o755);
  await observed("s1");
  await http.writeSql("UPDATE sessions SET observation_count = 7");
  const { getuid } = process;
  try {
    process.getuid = () => statSync(http.home).uid + 1;
    const healed = await http.ok(heal, { categories: ["database", "sessions"] });
    expect(healed).toMatchObject({
      fixed: 1,
      skippedFindings: [
        {
          name: "file-mode",
          message: `other users can read ${http.home}, which another user owns`,
          reason: "only its owner can close it",
        },
      ],
    });
  } finally {
    Object.assign(process, { getuid });
  }
  expect(statSync(http.home).mode & 0o777).toBe(0o755);
});

test("records dated ahead of the clock are reported until that time has come", async () => {
  http.advance(31 * dayMs);
  await observed("s1");
  expect(await findings()).toEqual([]);
  http.advance(-31 * dayMs);
  const [finding] = await findings();
  expect(finding).toMatchObject({ category: "database", name: "clock", status: "warn", fixable: false });
  expect(finding?.message).toMatch(/^the newest record is of \S+Z, 31 days ahead of this machine's clock$/u);
  http.advance(31 * dayMs);
  expect(await findings()).toEqual([]);
});

test("a damaged page of the database file fails the integrity check and names its table", async () => {
  await store("herons nest in tall trees");
  const { sql } = http.core.ground.store.read;
  await sql.values("PRAGMA wal_checkpoint(TRUNCATE)");
  const [[root = 0] = []] = await sql.values("SELECT rootpage FROM sqlite_master WHERE name = 'profiles'");
  const [[pageSize = 0] = []] = await sql.values("PRAGMA page_size");
  const file = openSync(join(http.home, "memsvc.db"), "r+");
  writeSync(file, Buffer.alloc(512, 0xff), 0, 512, (Number(root) - 1) * Number(pageSize));
  closeSync(file);
  const { checks } = await http.ok(diagnose, { categories: ["database"] });
  const integrity = checks.find(({ name }) => name === "integrity");
  expect(integrity).toMatchObject({ status: "fail", fixable: false });
  expect(integrity?.message).toContain("profiles");
});

test("only the requested categories are checked or healed, and unknown ones are refused", async () => {
  await observed("s1");
  await http.writeSql("UPDATE sessions SET observation_count = 7");
  const { checks } = await http.ok(diagnose, { categories: ["memories", "jobs"] });
  expect(checks.map(({ name }) => name)).toEqual(["memories-ok", "jobs-ok"]);
  expect(await http.ok(heal, { categories: ["memories"] })).toMatchObject({ fixed: 0 });
  expect((await http.reply(diagnose, { categories: ["weather"] })).status).toBe(400);
  expect((await http.reply(heal, { dryRun: "perhaps" })).status).toBe(400);
});

test("a memory that heal repaired can still be read by id", async () => {
  const older = await store("herons nest in tall trees");
  await http.ok(evolve, { memoryId: older, newContent: "herons nest low" });
  await http.writeSql("UPDATE memories SET is_latest = 1");
  await http.ok(heal, {});
  expect((await http.ok(getMemory, { id: older })).memory.isLatest).toBe(false);
});

test.each([
  ["two", ["b", "a"]],
  ["three", ["b", "c", "a"]],
  ["four, whose highest names the lowest", ["d", "a", "b", "c"]],
])(
  "heal of %s memories that supersede each other in a cycle keeps the last one as latest",
  async (_, named) => {
    const memories = named.map((older, at) => ({
      id: "abcd".charAt(at),
      content: `herons nest in tall trees, as told at ${at}`,
      supersedes: [older],
      project: "shop",
      createdAt: "2026-02-01T00:00:00.000Z",
    }));
    await http.ok(importStore, { exportData: { version: "1.0.0", memories } });
    await http.ok(heal, {});
    const answer = await http.ok(listMemories, { latest: true });
    const ids = "memories" in answer ? answer.memories.map(({ id }) => id) : [];
    expect(ids).toEqual(["abcd".charAt(named.length - 1)]);
    const { results } = await http.ok(smartSearch, { query: "herons" });
    expect(results.map(({ obsId }) => obsId)).toEqual(ids);
    expect(await findings()).toEqual([]);
  },
);

test("records indexed by an older version are found again once the job of a heal has run", async () => {
  const id = await store("the otters sleep at noon");
  await observed("s1");
  const find = async () => (await http.ok(smartSearch, { query: "otters" })).results.length;
  await http.writeSql("UPDATE documents SET token_version = 0");
  await http.writeSql(
    "INSERT OR REPLACE INTO documents_fts (rowid, title, concepts, files, body, scope) SELECT id, '', '', '', '', '' FROM documents",
  );
  expect(await find()).toBe(0);
  expect(await findings()).toMatchObject([
    { name: "outdated-words", status: "warn", fixable: true, count: 2 },
  ]);
  const { fixed, details } = await http.ok(heal, {});
  expect([fixed, details[0]]).toEqual([2, expect.stringContaining("in the background")]);
  await http.runDueJobs();
  expect(await findings()).toEqual([]);
  expect(await find()).toBe(1);
  expect((await http.ok(getMemory, { id })).memory.content).toBe("the otters sleep at noon");
});

test("heal of two memories that supersede each other keeps the higher version as latest", async () => {
  const createdAt = "2026-01-01T00:00:00.000Z";
  const version = (id: string, number: number, other: string) => ({
    id,
    content: `herons nest ${id}`,
    version: number,
    supersedes: [other],
    createdAt,
  });
  const memories = [version("low", 2, "high"), version("high", 3, "low")];
  await http.ok(importStore, { exportData: { version: "0.1.0", memories } });
  await http.ok(heal, { categories: ["memories"] });
  expect(await http.ok(listMemories, { latest: true })).toMatchObject({
    memories: [{ id: "high" }],
    total: 1,
  });
  expect((await http.ok(smartSearch, { query: "herons" })).results).toMatchObject([{ obsId: "high" }]);
});

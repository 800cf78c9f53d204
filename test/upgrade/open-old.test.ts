import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { listObservations } from "../../src/capture/observations/operations.ts";
import { listSessions } from "../../src/capture/sessions/operations.ts";
import { databaseFile } from "../../src/config/home.ts";
import { loadSettings } from "../../src/config/load.ts";
import { Core } from "../../src/core.ts";
import { listMemories, remember } from "../../src/knowledge/memories/operations.ts";
import { smartSearch } from "../../src/recall/search/operations.ts";
import { schemaVersion } from "../../src/store/migrate.ts";
import { emptyLedger } from "../crash/ledger.ts";
import { storeFaults } from "../crash/store-faults.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { describeStore, type StoreContents } from "./store-contents.ts";

const fixtures = new URL("fixtures/", import.meta.url);
const versions = readdirSync(fixtures).flatMap((name) => {
  const version = /^schema-(\d+)\.db\.gz$/u.exec(name)?.[1];
  return version === undefined ? [] : [Number(version)];
});
const caller = { face: "library" } as const;

test("the current schema has a fixture", () => {
  expect(versions, "make it: npx tsx test/upgrade/make-fixture.ts").toContain(schemaVersion);
});

describe.each(versions)("a store of schema %i", (version) => {
  const expected = JSON.parse(
    readFileSync(new URL(`schema-${version}.json`, fixtures), "utf8"),
  ) as StoreContents;
  let home: string;
  let path: string;
  let core: Core;
  beforeEach(async () => {
    home = temporaryFolder();
    path = databaseFile(home);
    writeFileSync(path, gunzipSync(readFileSync(new URL(`schema-${version}.db.gz`, fixtures))));
    const { settings } = loadSettings({ home, env: {}, fileText: undefined });
    core = await Core.open({ home, settings, now: () => Date.parse("2026-03-02T00:00:00.000Z") });
  });
  afterEach(() => core.close());

  test("has rows in every table of its fixture", () => {
    const empty = Object.entries(expected.rows).filter(([, count]) => count === 0);
    expect(empty, "test/upgrade/make-fixture.ts puts a row into each table").toEqual([]);
  });

  test("keeps its records unchanged, and loses no row of any table", () => {
    const { rows, ...records } = describeStore(path);
    const { rows: before, ...recordsBefore } = expected;
    for (const [table, count] of Object.entries(before))
      expect(rows[table], table).toBeGreaterThanOrEqual(count);
    expect(records).toEqual(recordsBefore);
  });

  test("has no faults after it was opened", () => {
    expect(storeFaults(path, emptyLedger())).toEqual([]);
  });

  test("lists its sessions with all their observations", async () => {
    const { sessions } = await core.call(listSessions, {}, caller);
    expect(sessions.map(({ id }) => id).sort()).toEqual(expected.sessions.map(({ id }) => id));
    const listed: string[] = [];
    for (const { id } of sessions) {
      const { observations } = await core.call(listObservations, { sessionId: id, raw: true }, caller);
      expect(observations.filter(({ raw }) => raw === undefined)).toEqual([]);
      listed.push(...observations.map((one) => one.id));
    }
    expect(listed.sort()).toEqual(expected.observations.map(({ id }) => id).sort());
  });

  test("finds a document by its stored vector", async () => {
    const vector = Float32Array.of(0.6, 0.8, 0, 0);
    const question = { vector, fingerprint: "fixture", scope: { now: 0 }, limit: 10, minSimilarity: 0.25 };
    const hits = await core.streams.vector(question);
    expect(hits?.map(({ id }) => id)).toEqual([1]);
  });

  test("lists its memories, and search finds each latest one by its content", async () => {
    const answer = await core.call(listMemories, {}, caller);
    const listed = "memories" in answer ? answer.memories : [];
    expect(listed.map(({ id }) => id).sort()).toEqual(expected.memories.map(({ id }) => id).sort());
    for (const { id, content } of listed.filter(({ isLatest }) => isLatest)) {
      const { results } = await core.call(smartSearch, { query: content, source: "viewer" }, caller);
      expect(results.map(({ obsId }) => obsId)).toContain(id);
    }
  });

  test("accepts a new memory, and search finds it", async () => {
    const { memoryId } = await core.call(remember, { content: "Written by the program of today" }, caller);
    const { results } = await core.call(smartSearch, { query: "program of today" }, caller);
    expect(results.map(({ obsId }) => obsId)).toContain(memoryId);
  });
});

import Database from "libsql";
import { expect, test } from "vitest";
import { databaseFile } from "../../src/config/home.ts";
import { graphStats } from "../../src/graph/operations.ts";
import { getMemory, remember } from "../../src/knowledge/memories/operations.ts";
import { getProfile } from "../../src/knowledge/profiles/operations.ts";
import { smartSearch } from "../../src/recall/search/operations.ts";
import { openTestCore } from "../support/core.ts";

/** A write is tried for longer. */
const longestMs = 6_000;

test("reads are answered and a core closed soon while another process keeps the store locked, and nothing waits for the notes of them", async () => {
  const { core, home, call, close } = await openTestCore();
  const { memory } = await call(remember, {
    content: "Queues are drained before a deploy",
    concepts: ["queue"],
  });
  const keeper = new Database(databaseFile(home));
  keeper.exec("BEGIN IMMEDIATE");
  const quickly = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const startedAt = performance.now();
    const answer = await work();
    expect(performance.now() - startedAt, name).toBeLessThan(longestMs);
    return answer;
  };
  const { results } = await quickly("search", () => call(smartSearch, { query: "deploy queues" }));
  expect(results.map(({ obsId }) => obsId)).toEqual([memory.id]);
  const one = await quickly("memory", () => call(getMemory, { id: memory.id }));
  expect(one.memory).toMatchObject({ id: memory.id, recallCount: 0 });
  await quickly("graph", () => call(graphStats, {}));
  await quickly("profile", () => call(getProfile, { project: "p" }));
  await quickly("close", () => core.close());
  keeper.exec("ROLLBACK");
  keeper.close();
  await close();
});

import Database from "libsql";
import { expect, test } from "vitest";
import { databaseFile } from "../../src/config/home.ts";
import { createCheckpoint } from "../../src/coordination/checkpoints/operations.ts";
import { health } from "../../src/governance/health/operations.ts";
import { graphStats } from "../../src/graph/operations.ts";
import { getMemory, remember } from "../../src/knowledge/memories/operations.ts";
import { getProfile } from "../../src/knowledge/profiles/operations.ts";
import { smartSearch } from "../../src/recall/search/operations.ts";
import { openTestCore } from "../support/core.ts";

/** A write is retried for ten seconds, so an answer before that did not wait for one. */
const longestMs = 9_000;

const quickly = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
  const startedAt = performance.now();
  const answer = await work();
  expect(performance.now() - startedAt, name).toBeLessThan(longestMs);
  return answer;
};

test("while another process locks the store, reads and shutdown do not wait to record recalls", async () => {
  const { core, home, call, close } = await openTestCore();
  const { memory } = await call(remember, {
    content: "Queues are drained before a deploy",
    concepts: ["queue"],
  });
  const keeper = new Database(databaseFile(home));
  keeper.exec("BEGIN IMMEDIATE");
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

test("a store locked by another process can be exported, and health reports the lock until it ends", async () => {
  const { core, home, call, advance, close } = await openTestCore();
  await call(createCheckpoint, { name: "reviewed", expiresInMs: 60_000 });
  advance(61_000);
  expect((await call(health, {})).health.kvConnectivity.status).toBe("ok");
  const keeper = new Database(databaseFile(home));
  keeper.exec("BEGIN IMMEDIATE");
  const decoder = new TextDecoder();
  let text = "";
  await quickly("export", async () => {
    for await (const block of core.transfer.export({ offset: 0 })) text += decoder.decode(block);
  });
  expect(JSON.parse(text)).toMatchObject({ checkpoints: [{ name: "reviewed", status: "pending" }] });
  const { status, health: told } = await quickly("health", () => call(health, {}));
  const error = expect.stringMatching(/^another process .*locked for too long$/u);
  expect(told).toMatchObject({ connectionState: "connected", kvConnectivity: { status: "error", error } });
  expect(status).toBe("critical");
  keeper.exec("ROLLBACK");
  keeper.close();
  expect((await call(health, {})).health.kvConnectivity.status).toBe("ok");
  await close();
});

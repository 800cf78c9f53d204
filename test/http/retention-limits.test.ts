import { describe, expect, test } from "vitest";
import { endSession } from "../../src/capture/sessions/operations.ts";
import { autoForget, evict } from "../../src/governance/retention/operations.ts";
import { remember } from "../../src/knowledge/memories/operations.ts";
import { dayMs } from "../../src/time/durations.ts";
import { forEachTest } from "../support/for-each-test.ts";
import { openTestHttp } from "../support/http.ts";
import { happenNow } from "../support/workdays.ts";

const http = forEachTest(openTestHttp);

const happened = (hookType: string, data: unknown) =>
  happenNow(http, "s1", hookType, data, { cwd: "/w/shop" });

describe.each([
  ["evict", 90],
  ["auto-forget", 180],
] as const)("%s", (name, days) => {
  const gone = async () =>
    name === "evict"
      ? (await http.ok(evict, { dryRun: true })).observationIds
      : (await http.ok(autoForget, { dryRun: true })).lowValueObs;

  test(`deletes observations of importance 2 older than ${days} days, and none of importance 3`, async () => {
    await happened("post_tool_use", { toolName: "Read", toolInput: { file_path: "a.ts" } });
    const notification = await happened("notification", { message: "waiting for input" });
    await http.ok(endSession, { sessionId: "s1" });
    http.advance(days * dayMs);
    expect(await gone()).toEqual([]);
    http.advance(1);
    expect(await gone()).toEqual([notification]);
  });
});

test("evict lists 1,000 observations and counts all of them", async () => {
  await happened("notification", { message: "waiting for input" });
  await http.writeSql(
    `INSERT INTO observations (id, session_id, project_key, timestamp, received_at, hook_type, type, title, facts,
       narrative, concepts, files, importance, confidence, compression, content_hash, channel)
     SELECT observations.id || value, session_id, project_key, timestamp, received_at, hook_type, observations.type, title, facts,
       narrative, concepts, files, importance, confidence, compression, content_hash, channel
     FROM observations, json_each(?)`,
    [JSON.stringify(Array.from({ length: 1_000 }, (_, at) => at))],
  );
  await http.ok(endSession, { sessionId: "s1" });
  http.advance(91 * dayMs);
  const { observationIds, lowImportanceObservations, evicted } = await http.ok(evict, { dryRun: true });
  expect([observationIds.length, lowImportanceObservations, evicted]).toEqual([1_000, 1_001, 1_001]);
});

test("auto-forget takes memories for contradictions above a similarity of 0.9, not at 0.9", async () => {
  const words = (count: number) => Array.from({ length: count }, (_, at) => `word${at}`).join(" ");
  const twins = async (project: string, shared: number) => {
    await http.ok(remember, { content: words(shared), project, concepts: ["x"], agentId: "ann" });
    await http.ok(remember, { content: words(shared + 1), project, concepts: ["x"] });
  };
  await twins("ten", 9);
  await twins("eleven", 10);
  await http.writeSql("UPDATE memories SET agent_id = NULL");
  const { contradictions } = await http.ok(autoForget, { dryRun: true });
  expect(contradictions.map(({ similarity }) => similarity)).toEqual([expect.closeTo(10 / 11, 3)]);
});

import { expect } from "vitest";
import { observe } from "../../src/capture/observations/operations.ts";
import { endSession, startSession } from "../../src/capture/sessions/operations.ts";
import { evolve, getMemory, remember } from "../../src/knowledge/memories/operations.ts";
import { getProfile } from "../../src/knowledge/profiles/operations.ts";
import { summarizeSession } from "../../src/knowledge/summaries/operations.ts";
import type { TestHttp } from "./http.ts";

export type Exported = Record<string, unknown> & {
  sessions: Record<string, unknown>[];
  observations: Record<string, Record<string, unknown>[]>;
  memories: Record<string, unknown>[];
};

export async function exported(from: TestHttp, query: Record<string, string> = {}): Promise<Exported> {
  const reply = await from.send("/export", { query });
  expect(reply.status).toBe(200);
  return reply.body as Exported;
}

export async function event(
  http: TestHttp,
  sessionId: string,
  prompt: string,
  timestamp = "2026-03-01T10:00:00Z",
) {
  const base = { sessionId, project: "/w/shop", cwd: "/w/shop", hookType: "prompt_submit", timestamp };
  return (await http.ok(observe, { ...base, data: { prompt } })).observationId;
}

/** Fills a store with records of every kind. */
export async function fill(http: TestHttp) {
  await http.ok(startSession, { sessionId: "s1", project: "/w/shop", cwd: "/w/shop", title: "Queues" });
  const first = await event(http, "s1", "the queue loses wakeups when two producers race");
  await event(http, "s1", "we add a condition variable", "2026-03-01T10:01:00Z");
  await event(http, "s2", "a second session about rate limits", "2026-03-02T10:00:00Z");
  const { memoryId } = await http.ok(remember, {
    content: "Queues are drained before shutdown",
    project: "shop",
    sourceObservationIds: [first],
    concepts: ["queue"],
  });
  const evolved = await http.ok(evolve, {
    memoryId,
    newContent: "Queues are drained and flushed on shutdown",
  });
  http.advance(3_700_000);
  await http.ok(getMemory, { id: evolved.memory.id });
  await http.ok(summarizeSession, { sessionId: "s1" });
  await http.ok(endSession, { sessionId: "s1" });
  await http.ok(getProfile, { project: "shop" });
  return { first, memoryId, latestId: evolved.memory.id };
}

/** An export without the parts in which two exports of the same content differ. */
export function content({ exportedAt: _at, audit: _audit, ...rest }: Exported) {
  return rest;
}

export const memoryInFile = {
  id: "mem_a",
  content: "a memory from elsewhere",
  createdAt: "2026-01-01T00:00:00Z",
};

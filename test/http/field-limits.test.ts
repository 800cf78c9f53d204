import { describe, expect, test } from "vitest";
import { readFrontier } from "../../src/coordination/actions/frontier/operations.ts";
import {
  addActionEdge,
  createAction,
  listActions,
  updateAction,
} from "../../src/coordination/actions/operations.ts";
import {
  createCheckpoint,
  listCheckpoints,
  resolveCheckpoint,
} from "../../src/coordination/checkpoints/operations.ts";
import { queryFacets, removeFacet, tagFacet } from "../../src/coordination/facets/operations.ts";
import { acquireLease, releaseLease, renewLease } from "../../src/coordination/leases/operations.ts";
import { listRoutines, runRoutine, saveRoutine } from "../../src/coordination/routines/operations.ts";
import {
  createSentinel,
  listSentinels,
  triggerSentinel,
} from "../../src/coordination/sentinels/operations.ts";
import { readSignals, sendSignal } from "../../src/coordination/signals/operations.ts";
import { addToSketch, createSketch, listSketches } from "../../src/coordination/sketches/operations.ts";
import { bulkDelete, deleteMemories } from "../../src/governance/deletion/operations.ts";
import { verify } from "../../src/governance/provenance/operations.ts";
import { createSnapshot, listSnapshots, restoreSnapshot } from "../../src/governance/snapshots/operations.ts";
import { exportStore, importStore } from "../../src/governance/transfer/operations.ts";
import { importGraph } from "../../src/graph/imported/operations.ts";
import { buildGraph, extractGraph } from "../../src/graph/model/operations.ts";
import { cascadeUpdate, queryGraph } from "../../src/graph/operations.ts";
import type { Operation } from "../../src/operation/define.ts";
import { addPeer, listPeers } from "../../src/sharing/mesh/operations.ts";
import { shareItem, teamFeed } from "../../src/sharing/team/operations.ts";
import { forAllTests } from "../support/for-each-test.ts";
import { openTestHttp } from "../support/http.ts";

/** Values at the limits of a field, and the first ones beyond them. */
interface Edges {
  readonly taken: readonly unknown[];
  readonly refused: readonly unknown[];
}

const letters = (count: number) => "a".repeat(count);
/** One code point, two units of UTF-16. */
const faces = (count: number) => "😀".repeat(count);

const str = (most: number): Edges => ({ taken: [faces(most)], refused: [letters(most + 1), " ", 5] });
const text = (most: number): Edges => ({ taken: ["", faces(most)], refused: [letters(most + 1), 5] });
const trimmed = (most: number): Edges => ({
  taken: [` ${faces(most)} `],
  refused: [letters(most + 1), " \t", 5],
});
const number = (low: number, high: number, step: number): Edges => ({
  taken: [low, high],
  refused: [low - step, high + step],
});
const int = (low: number, high: number): Edges => {
  const { taken, refused } = number(low, high, 1);
  return { taken, refused: [...refused, low + 0.5, "many"] };
};
const atLeast = (low: number): Edges => ({ taken: [low, Number.MAX_SAFE_INTEGER], refused: [low - 1] });
const list = (least: number, most: number, item: unknown): Edges => ({
  taken: [Array(least).fill(item), Array(most).fill(item)],
  refused: [...(least === 0 ? [] : [Array(least - 1).fill(item)]), Array(most + 1).fill(item)],
});
const both = (one: Edges, other: Edges): Edges => ({
  taken: [...one.taken, ...other.taken],
  refused: [...one.refused, ...other.refused],
});
/** The object around the text takes 11 bytes. */
const object: Edges = {
  taken: [{ note: letters(65_536 - 11) }],
  refused: [{ note: letters(65_536 - 10) }, [], "text"],
};
const json: Edges = {
  taken: [letters(65_536 - 2), [], 5],
  refused: [letters(65_536 - 1)],
};

const id = str(256);
const name = trimmed(200);
const title = trimmed(300);
const description = text(100_000);
const tags = both(list(0, 200, "tag"), {
  taken: [[faces(200)], `one,${letters(200)}`],
  refused: [[letters(201)], `one,${letters(201)}`, [5], 5],
});
const peerUrl = (length: number) => "http://127.0.0.1/".padEnd(length, "a");
const priority = int(1, 10);
const expiresInMs = atLeast(1_000);
const sources = list(0, 200, "obs_1");
const links = list(0, 200, "act_1");

const fields: readonly (readonly [Operation, Readonly<Record<string, Edges>>])[] = [
  [
    createAction,
    {
      title,
      description,
      priority,
      createdBy: id,
      assignedTo: id,
      tags,
      parentId: id,
      edges: list(0, 100, { type: "requires", targetActionId: "act_1" }),
      sourceObservationIds: sources,
      sourceMemoryIds: sources,
      metadata: object,
    },
  ],
  [
    updateAction,
    { title, description, priority, assignedTo: id, result: text(20_000), tags, metadata: object },
  ],
  [addActionEdge, { sourceActionId: id, targetActionId: id, metadata: object }],
  [acquireLease, { actionId: id, agentId: id, ttlMs: atLeast(1_000) }],
  [releaseLease, { actionId: id, agentId: id, result: text(20_000) }],
  [renewLease, { actionId: id, agentId: id, ttlMs: atLeast(1_000) }],
  [
    saveRoutine,
    {
      name,
      description,
      tags,
      steps: {
        taken: [[{ title: "Test" }], Array(100).fill({ title: faces(300), description: letters(100_000) })],
        refused: [[], Array(101).fill({ title: "Test" }), [{ title: letters(301) }]],
      },
    },
  ],
  [runRoutine, { routineId: id, initiatedBy: id }],
  [
    sendSignal,
    { from: id, content: str(100_000), to: id, threadId: id, replyTo: id, metadata: object, expiresInMs },
  ],
  [createCheckpoint, { name, description, linkedActionIds: links, expiresInMs }],
  [resolveCheckpoint, { checkpointId: id, resolvedBy: id, result: json }],
  [createSentinel, { name, linkedActionIds: links, expiresInMs }],
  [triggerSentinel, { sentinelId: id, result: json }],
  [createSketch, { title, description, expiresInMs: int(60_000, 604_800_000) }],
  [addToSketch, { title, description, priority, tags }],
  [tagFacet, { targetId: id, dimension: name, value: name }],
  [removeFacet, { targetId: id, dimension: name, value: name }],
  [
    queryFacets,
    {
      matchAll: list(1, 50, "area:till"),
      matchAny: { taken: [Array(50).fill("area:till")], refused: [Array(51).fill("area:till")] },
    },
  ],
  [queryGraph, { startNodeId: id, query: str(500), maxDepth: atLeast(0) }],
  [extractGraph, { observations: list(1, 100, { title: "Till", narrative: "rounds down" }) }],
  [buildGraph, { batchSize: int(1, 100) }],
  [cascadeUpdate, { supersededMemoryId: id }],
  [importGraph, { path: str(4_096), cwd: str(4_096) }],
  [shareItem, { itemId: id, sessionId: id }],
  [addPeer, { url: { taken: [peerUrl(2_000)], refused: [peerUrl(2_001), " "] }, name }],
  [
    deleteMemories,
    {
      memoryIds: both(list(1, 1_000, "mem_1"), { taken: [[letters(256)]], refused: [[letters(257)]] }),
      reason: text(1_000),
    },
  ],
  [
    bulkDelete,
    {
      type: { taken: [["fact"], Array(6).fill("fact")], refused: [[], Array(7).fill("fact"), ["opinion"]] },
      qualityBelow: number(0, 1, 0.001),
      agentId: id,
      reason: text(1_000),
    },
  ],
  [verify, { id }],
  [createSnapshot, { message: text(500) }],
  [
    restoreSnapshot,
    {
      snapshotId: id,
      commitHash: {
        taken: [letters(7), letters(64)],
        refused: [letters(6), letters(65), "g".repeat(7)],
      },
    },
  ],
  [exportStore, { maxSessions: { taken: [1], refused: [0, 0.5] } }],
];

const lists: readonly (readonly [Operation, number, number, Readonly<Record<string, unknown>>?])[] = [
  [listActions, 50, 500],
  [listRoutines, 100, 1_000],
  [readSignals, 50, 500, { agentId: "ann" }],
  [listCheckpoints, 100, 1_000],
  [listSentinels, 100, 1_000],
  [listSketches, 100, 1_000],
  [queryFacets, 50, 500, { matchAll: ["area:till"] }],
  [queryGraph, 500, 5_000],
  [teamFeed, 20, 200],
  [listPeers, 100, 1_000],
  [listSnapshots, 20, 1_000],
];

const http = forAllTests(() =>
  openTestHttp({
    authorized: true,
    env: {
      GRAPH_EXTRACTION_ENABLED: "true",
      OPENAI_BASE_URL: "http://127.0.0.1:9/v1",
      MEMSVC_TEAM_ID: "core",
      MEMSVC_USER_ID: "ann",
      MEMSVC_SECRET: "a secret of the tests",
      MEMSVC_SYNC_WAIT_MS: "0",
    },
  }),
);

/** Whether the answer to a request with only this field reports an issue with it; missing fields do not count. */
async function isRefused(operation: Operation, field: string, value: unknown): Promise<boolean> {
  const { status, body } = await http.reply(operation, { [field]: value });
  expect(status, JSON.stringify(body).slice(0, 200)).not.toBe(500);
  expect(status).not.toBe(401);
  const issues = (body.issues ?? []) as { path: string }[];
  return issues.some(({ path }) => path === field || path.startsWith(`${field}.`));
}

describe.each(fields.map(([operation, edges]) => ({ id: operation.id, operation, edges })))(
  "the fields of $id",
  ({ operation, edges }) => {
    test.each(Object.entries(edges))(
      "%s is accepted up to its limits and refused beyond them",
      async (field, values) => {
        for (const value of values.taken) {
          expect(await isRefused(operation, field, value), `${JSON.stringify(value).length} taken`).toBe(
            false,
          );
        }
        for (const value of values.refused) {
          expect(await isRefused(operation, field, value), `${JSON.stringify(value).length} refused`).toBe(
            true,
          );
        }
      },
    );
  },
);

test.each([
  ["webhook", "path", str(200)],
  ["timer", "durationMs", int(1, 31_536_000_000)],
  ["pattern", "pattern", str(500)],
])("the config of a %s accepts a %s up to its limits", async (type, field, { taken, refused }) => {
  const answers = async (value: unknown) =>
    (await http.reply(createSentinel, { name: "Watch", type, config: { [field]: value } })).status;
  for (const value of taken) expect(await answers(value)).toBe(200);
  for (const value of refused) expect(await answers(value)).toBe(400);
});

test.each(
  lists.map(([operation, byDefault, cap, query]) => ({ id: operation.id, operation, byDefault, cap, query })),
)("$id returns $byDefault rows by default and $cap at most", async ({ operation, byDefault, cap, query }) => {
  const limitOf = async (limit?: number) => (await http.reply(operation, { ...query, limit })).body.limit;
  expect(await limitOf()).toBe(byDefault);
  expect(await limitOf(cap)).toBe(cap);
  expect(await limitOf(cap + 1)).toBe(cap);
  expect((await http.reply(operation, { ...query, limit: 0 })).status).toBe(400);
});

test("the frontier returns 20 actions by default and 200 at most", async () => {
  const actions = Array.from({ length: 201 }, (_, at) => ({
    id: `act_${at}`,
    title: `Step ${at}`,
    createdAt: "2026-03-01",
  }));
  await http.ok(importStore, { exportData: { version: "1", actions } });
  const shown = async (limit?: number) => (await http.ok(readFrontier, { limit })).frontier.length;
  expect([await shown(), await shown(1_000)]).toEqual([20, 200]);
});

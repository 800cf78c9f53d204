import type { EntryCall } from "../callers/caller.ts";
import { operations } from "../operations/operations.ts";
import type { View } from "./visible-rows.ts";

/*
 * What the store can name, newest first: for completing a word, and for telling which name was meant. A few hundred of
 * each are enough for both, and quick.
 */

const lately = { limit: 200 };

/** Where names come from: a store, and whose rows of it are looked at. */
export interface Source {
  readonly call: EntryCall;
  readonly view: View;
}

type Names = (from: Source) => Promise<readonly string[]>;

const memories = async ({ call, view }: Source) => {
  const answer = await call(operations.listMemories, { ...lately, ...view, latest: true });
  return "memories" in answer ? answer.memories : [];
};
const sessions = async ({ call, view }: Source) =>
  (await call(operations.listSessions, { ...lately, ...view })).sessions;
const actions = async ({ call, view }: Source) =>
  (await call(operations.listActions, { ...lately, ...view })).actions;
const routines = async ({ call, view }: Source) =>
  (await call(operations.listRoutines, { ...lately, ...view })).routines;
const commits = async ({ call, view }: Source) =>
  (await call(operations.listCommits, { ...lately, ...view })).commits;
const checkpoints = async ({ call, view }: Source) =>
  (await call(operations.listCheckpoints, { ...lately, ...view })).checkpoints;
const sentinels = async ({ call, view }: Source) =>
  (await call(operations.listSentinels, { ...lately, ...view })).sentinels;
const dimensions = async ({ call }: Source) => (await call(operations.facetStats, {})).dimensions;

const idOf = ({ id }: { readonly id: string }): string => id;

export const storedNames = {
  memories: async (from) => (await memories(from)).map(idOf),
  sessions: async (from) => (await sessions(from)).map(idOf),
  projects: async (from) =>
    [...(await sessions(from)), ...(await memories(from))].flatMap(({ project }) => project ?? []),
  agents: async (from) =>
    [...(await sessions(from)), ...(await memories(from))].flatMap(({ agentId }) => agentId ?? []),
  actions: async (from) => (await actions(from)).map(idOf),
  actionTags: async (from) => (await actions(from)).flatMap(({ tags }) => tags),
  assignees: async (from) => (await actions(from)).flatMap(({ assignedTo }) => assignedTo ?? []),
  checkpoints: async (from) => (await checkpoints(from)).map(idOf),
  sentinels: async (from) => (await sentinels(from)).map(idOf),
  edgeTargets: async (from) =>
    [...(await actions(from)), ...(await checkpoints(from)), ...(await sentinels(from))].map(idOf),
  labelled: async (from) => [...(await actions(from)), ...(await memories(from))].map(idOf),
  sketches: async ({ call, view }) =>
    (await call(operations.listSketches, { ...lately, ...view })).sketches.map(idOf),
  routines: async (from) => (await routines(from)).map(idOf),
  routineTags: async (from) => (await routines(from)).flatMap(({ tags }) => tags),
  lessons: async ({ call, view }) =>
    (await call(operations.listLessons, { ...lately, ...view })).lessons.map(idOf),
  slots: async ({ call, view }) =>
    (await call(operations.listSlots, { ...lately, ...view })).slots.map(({ label }) => label),
  commits: async (from) => (await commits(from)).map(({ sha }) => sha),
  branches: async (from) => (await commits(from)).flatMap(({ branch }) => branch ?? []),
  repositories: async (from) => (await commits(from)).flatMap(({ repo }) => repo ?? []),
  dimensions: async (from) => (await dimensions(from)).map(({ dimension }) => dimension),
  labels: async (from) =>
    (await dimensions(from)).flatMap(({ dimension, values }) =>
      values.map(({ value }) => `${dimension}:${value}`),
    ),
  snapshots: async ({ call, view }) =>
    (await call(operations.listSnapshots, { ...lately, ...view })).snapshots.map(idOf),
  peers: async ({ call, view }) => (await call(operations.listPeers, { ...lately, ...view })).peers.map(idOf),
  auditOperations: async () => (await import("../../governance/audit/record.ts")).auditOperations,
} satisfies Readonly<Record<string, Names>>;

export type StoredNames = keyof typeof storedNames;

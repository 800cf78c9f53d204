import type { EntryCall } from "./open-caller.ts";
import { operations } from "./operations.ts";

/*
 * What the store can name, newest first: for completing a word, and for telling which name was meant. A few hundred of
 * each are enough for both, and quick.
 */

const lately = { limit: 200, agentId: "*" };

type Names = (call: EntryCall) => Promise<readonly string[]>;

const memories = async (call: EntryCall) => {
  const answer = await call(operations.listMemories, { ...lately, latest: true });
  return "memories" in answer ? answer.memories : [];
};
const sessions = async (call: EntryCall) => (await call(operations.listSessions, lately)).sessions;
const actions = async (call: EntryCall) => (await call(operations.listActions, lately)).actions;
const routines = async (call: EntryCall) => (await call(operations.listRoutines, lately)).routines;
const commits = async (call: EntryCall) => (await call(operations.listCommits, lately)).commits;
const checkpoints = async (call: EntryCall) => (await call(operations.listCheckpoints, lately)).checkpoints;
const sentinels = async (call: EntryCall) => (await call(operations.listSentinels, lately)).sentinels;
const dimensions = async (call: EntryCall) => (await call(operations.facetStats, {})).dimensions;

const idOf = ({ id }: { readonly id: string }): string => id;

export const storedNames = {
  memories: async (call) => (await memories(call)).map(idOf),
  sessions: async (call) => (await sessions(call)).map(idOf),
  projects: async (call) =>
    [...(await sessions(call)), ...(await memories(call))].flatMap(({ project }) => project ?? []),
  agents: async (call) =>
    [...(await sessions(call)), ...(await memories(call))].flatMap(({ agentId }) => agentId ?? []),
  actions: async (call) => (await actions(call)).map(idOf),
  actionTags: async (call) => (await actions(call)).flatMap(({ tags }) => tags),
  assignees: async (call) => (await actions(call)).flatMap(({ assignedTo }) => assignedTo ?? []),
  checkpoints: async (call) => (await checkpoints(call)).map(idOf),
  sentinels: async (call) => (await sentinels(call)).map(idOf),
  edgeTargets: async (call) =>
    [...(await actions(call)), ...(await checkpoints(call)), ...(await sentinels(call))].map(idOf),
  labelled: async (call) => [...(await actions(call)), ...(await memories(call))].map(idOf),
  sketches: async (call) => (await call(operations.listSketches, lately)).sketches.map(idOf),
  routines: async (call) => (await routines(call)).map(idOf),
  routineTags: async (call) => (await routines(call)).flatMap(({ tags }) => tags),
  lessons: async (call) => (await call(operations.listLessons, lately)).lessons.map(idOf),
  slots: async (call) => (await call(operations.listSlots, lately)).slots.map(({ label }) => label),
  commits: async (call) => (await commits(call)).map(({ sha }) => sha),
  branches: async (call) => (await commits(call)).flatMap(({ branch }) => branch ?? []),
  repositories: async (call) => (await commits(call)).flatMap(({ repo }) => repo ?? []),
  dimensions: async (call) => (await dimensions(call)).map(({ dimension }) => dimension),
  labels: async (call) =>
    (await dimensions(call)).flatMap(({ dimension, values }) =>
      values.map(({ value }) => `${dimension}:${value}`),
    ),
  snapshots: async (call) => (await call(operations.listSnapshots, lately)).snapshots.map(idOf),
  peers: async (call) => (await call(operations.listPeers, lately)).peers.map(idOf),
  auditOperations: async () => (await import("../governance/audit/record.ts")).auditOperations,
} satisfies Readonly<Record<string, Names>>;

export type StoredNames = keyof typeof storedNames;

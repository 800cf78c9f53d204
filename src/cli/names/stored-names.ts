import { isAbsolute } from "node:path";
import type { Operation } from "../../operation/define.ts";
import type { EntryCall } from "../callers/caller.ts";
import type { EntryOf } from "../operations/operation-entry.ts";
import { operations } from "../operations/operations.ts";
import type { View } from "./visible-rows.ts";

/*
 * Names in the store, newest first, for completion and for suggestions. A few hundred of each kind suffice, and are
 * quick to read.
 */

const lately = { limit: 200 };

/** Where names are read: a store, and the agent whose rows are looked at. */
export interface Source {
  readonly call: EntryCall;
  readonly view: View;
}

type Names = (from: Source) => Promise<readonly string[]>;

/** The first page of a list. */
function newest<Op extends Operation>({ call, view }: Source, list: EntryOf<Op>) {
  return call(list, { ...lately, ...view });
}

const memories = async ({ call, view }: Source) => {
  const answer = await call(operations.listMemories, { ...lately, ...view, latest: true });
  return "memories" in answer ? answer.memories : [];
};
const sessions = async (from: Source) => (await newest(from, operations.listSessions)).sessions;
const actions = async (from: Source) => (await newest(from, operations.listActions)).actions;
const routines = async (from: Source) => (await newest(from, operations.listRoutines)).routines;
const commits = async (from: Source) => (await newest(from, operations.listCommits)).commits;
const checkpoints = async (from: Source) => (await newest(from, operations.listCheckpoints)).checkpoints;
const sentinels = async (from: Source) => (await newest(from, operations.listSentinels)).sentinels;
const dimensions = async ({ call }: Source) => (await call(operations.facetStats, {})).dimensions;

const idOf = ({ id }: { readonly id: string }): string => id;

export const storedNames = {
  memories: async (from) => (await memories(from)).map(idOf),
  sessions: async (from) => (await sessions(from)).map(idOf),
  sessionTags: async (from) => (await sessions(from)).flatMap(({ tags }) => tags),
  projects: async (from) =>
    [...(await sessions(from)), ...(await memories(from))].flatMap(({ project }) => project ?? []),
  projectFolders: async ({ call, view }) => {
    const { projects } = await call(operations.listProjects, { ...lately, ...view });
    return projects.flatMap(({ project, folders }) => [project, ...folders]).filter(isAbsolute);
  },
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
  sketches: async (from) => (await newest(from, operations.listSketches)).sketches.map(idOf),
  routines: async (from) => (await routines(from)).map(idOf),
  routineTags: async (from) => (await routines(from)).flatMap(({ tags }) => tags),
  lessons: async (from) => (await newest(from, operations.listLessons)).lessons.map(idOf),
  slots: async (from) => (await newest(from, operations.listSlots)).slots.map(({ label }) => label),
  commits: async (from) => (await commits(from)).map(({ sha }) => sha),
  branches: async (from) => (await commits(from)).flatMap(({ branch }) => branch ?? []),
  repositories: async (from) => (await commits(from)).flatMap(({ repo }) => repo ?? []),
  dimensions: async (from) => (await dimensions(from)).map(({ dimension }) => dimension),
  labels: async (from) =>
    (await dimensions(from)).flatMap(({ dimension, values }) =>
      values.map(({ value }) => `${dimension}:${value}`),
    ),
  snapshots: async (from) => (await newest(from, operations.listSnapshots)).snapshots.map(idOf),
  peers: async (from) => (await newest(from, operations.listPeers)).peers.map(idOf),
  auditOperations: async () => (await import("../../governance/audit/record.ts")).auditOperations,
} satisfies Readonly<Record<string, Names>>;

export type StoredNames = keyof typeof storedNames;

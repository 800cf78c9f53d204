import type { StoredNames } from "./stored-names.ts";

/** Which kind of stored names an argument or flag takes, for all commands. */
const byField: Readonly<Record<string, StoredNames>> = {
  project: "projects",
  session: "sessions",
  sessionid: "sessions",
  id: "memories",
  memoryid: "memories",
  sourcememoryid: "memories",
  supersededmemoryid: "memories",
  agentid: "agents",
  assignedto: "agents",
  createdby: "agents",
  initiatedby: "agents",
  resolvedby: "agents",
  actionid: "actions",
  linkedactionid: "actions",
  sourceactionid: "actions",
  targetactionid: "edgeTargets",
  parentid: "actions",
  require: "actions",
  dependson: "actions",
  checkpointid: "checkpoints",
  sentinelid: "sentinels",
  sketchid: "sketches",
  routineid: "routines",
  lessonid: "lessons",
  snapshotid: "snapshots",
  peerid: "peers",
};

/** Exceptions for one command, or for all that begin with these words. */
const byCommand: readonly (readonly [command: string, fields: Readonly<Record<string, StoredNames>>])[] = [
  ["relation create", { sourceid: "memories", targetid: "memories" }],
  ["team share", { itemid: "memories" }],
  ["facet query", { matchall: "labels", matchany: "labels" }],
  ["facet", { targetid: "labelled", dimension: "dimensions" }],
  ["signal send", { from: "agents", to: "agents" }],
  ["project move", { from: "projectFolders" }],
  ["project separate", { folder: "projectFolders" }],
  ["session by-commit", { sha: "commits" }],
  ["session commits", { branch: "branches", repo: "repositories" }],
  ["action list", { tag: "actionTags", assignedto: "assignees" }],
  ["session list", { tag: "sessionTags" }],
  ["routine list", { tag: "routineTags" }],
  ["audit", { operation: "auditOperations" }],
  // A new slot gets a new name.
  ["slot create", {}],
  ["slot", { label: "slots" }],
];

/** The kind of stored names for an argument (`actionId`) or a flag (`action-id`) of a command (`lease acquire`). */
export function storedNamesFor(command: string, field: string): StoredNames | undefined {
  const key = field.replaceAll("-", "").toLowerCase().replace(/s$/u, "");
  const own = byCommand.find(([words]) => `${command} `.startsWith(`${words} `))?.[1][key];
  return own ?? byField[key];
}

import { meant } from "./near-enough.ts";
import type { EntryCall } from "./open-caller.ts";
import { operations } from "./operations.ts";

/*
 * A filter whose values nobody declared, such as a tag, takes any word. Where one that names nothing leaves an answer
 * empty, those that the store holds tell which may have been meant; they are asked for only then.
 */

interface OpenFilter {
  readonly field: string;
  /** Names one value: `no action has the tag urgnet`. */
  readonly nothing: (value: string) => string;
  readonly values: (call: EntryCall) => Promise<readonly string[]>;
}

const mostRows = 200;

const openFilters: Readonly<Record<string, readonly OpenFilter[]>> = {
  "audit.list": [
    {
      field: "operation",
      nothing: (value) => `no operation is called ${value}`,
      values: async () => (await import("../governance/audit/record.ts")).auditOperations,
    },
  ],
  "actions.list": [
    {
      field: "tag",
      nothing: (value) => `no recent action has the tag ${value}`,
      values: async (call) => (await recentActions(call)).flatMap(({ tags }) => tags),
    },
    {
      field: "assignedTo",
      nothing: (value) => `no recent action is assigned to ${value}`,
      values: async (call) => (await recentActions(call)).flatMap(({ assignedTo }) => assignedTo ?? []),
    },
  ],
  "routines.list": [
    {
      field: "tag",
      nothing: (value) => `no recent routine has the tag ${value}`,
      values: async (call) =>
        (await call(operations.listRoutines, { limit: mostRows })).routines.flatMap(({ tags }) => tags),
    },
  ],
  "commits.list": [
    {
      field: "branch",
      nothing: (value) => `no recent commit is of a branch ${value}`,
      values: async (call) => (await recentCommits(call)).flatMap(({ branch }) => branch ?? []),
    },
    {
      field: "repo",
      nothing: (value) => `no recent commit is of a repository ${value}`,
      values: async (call) => (await recentCommits(call)).flatMap(({ repo }) => repo ?? []),
    },
  ],
  "facets.query": ["matchAll", "matchAny"].map((field) => ({
    field,
    nothing: (value) => `no record bears ${value}`,
    values: async (call) =>
      (await call(operations.facetStats, {})).dimensions.flatMap(({ dimension, values }) =>
        values.map(({ value }) => `${dimension}:${value}`),
      ),
  })),
};

async function recentActions(call: EntryCall) {
  return (await call(operations.listActions, { limit: mostRows })).actions;
}

async function recentCommits(call: EntryCall) {
  return (await call(operations.listCommits, { limit: mostRows })).commits;
}

/** A sentence for each value of an operation's filters that the store does not hold but nearly holds. */
export async function nearValues(
  operationId: string,
  named: Readonly<Record<string, unknown>>,
  call: EntryCall,
): Promise<string[]> {
  const sentences: string[] = [];
  for (const { field, nothing, values } of openFilters[operationId] ?? []) {
    const asked = [named[field]].flat().filter((value) => typeof value === "string");
    if (asked.length === 0) continue;
    const known = await values(call);
    for (const value of asked.filter((one) => !known.includes(one))) {
      const way = meant(value, known);
      if (way !== undefined) sentences.push(`${nothing(value)}; ${way}`);
    }
  }
  return sentences;
}

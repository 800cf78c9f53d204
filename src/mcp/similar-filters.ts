import { listCommits } from "../capture/commits/operations.ts";
import { listSessions } from "../capture/sessions/operations.ts";
import { facetStats } from "../coordination/facets/operations.ts";
import type { Core } from "../core.ts";
import { listMemories } from "../knowledge/memories/operations.ts";
import type { Caller } from "../operation/define.ts";
import { didYouMean } from "../text/similar-names.ts";

/*
 * Suggestions for filters that accept any word, such as a branch. If a filter leaves an answer empty and its value is
 * not stored, a similar stored value is suggested. They are only read in that case.
 */

interface Source {
  readonly core: Core;
  readonly caller: Caller;
}

interface OpenFilter {
  readonly field: string;
  readonly nothing: (value: string) => string;
  readonly known: (from: Source) => Promise<readonly string[]>;
}

const lately = { limit: 200 };

const commits = async ({ core, caller }: Source) => (await core.call(listCommits, lately, caller)).commits;

const labels = async ({ core, caller }: Source) =>
  (await core.call(facetStats, {}, caller)).dimensions.flatMap(({ dimension, values }) =>
    values.map(({ value }) => `${dimension}:${value}`),
  );

const noLabel = (value: string) => `no record has the label ${value}`;

const openFilters: Readonly<Record<string, readonly OpenFilter[]>> = {
  "commits.list": [
    {
      field: "branch",
      nothing: (value) => `no recent commit is of a branch ${value}`,
      known: async (from) => (await commits(from)).map(({ branch }) => branch),
    },
    {
      field: "repo",
      nothing: (value) => `no recent commit is of a repository ${value}`,
      known: async (from) => (await commits(from)).flatMap(({ repo }) => repo ?? []),
    },
  ],
  "facets.query": [
    { field: "matchAll", nothing: noLabel, known: labels },
    { field: "matchAny", nothing: noLabel, known: labels },
  ],
};

const anyAgent: OpenFilter = {
  field: "agentId",
  nothing: (value) => `no recent session or memory belongs to an agent ${value}`,
  known: async ({ core, caller }) => {
    const view = { ...lately, agentId: "*" };
    const { sessions } = await core.call(listSessions, view, caller);
    const listed = await core.call(listMemories, view, caller);
    const memories = "memories" in listed ? listed.memories : [];
    return [...sessions, ...memories].flatMap(({ agentId }) => agentId ?? []);
  },
};

/** A sentence for each filter value that is not stored but is close to a stored one. */
export async function similarFilterHints(
  operationId: string,
  input: Readonly<Record<string, unknown>>,
  from: Source,
): Promise<string[]> {
  // An isolated agent must not learn who else works here.
  const isIsolated = from.core.ground.settings.agentScope === "isolated";
  const sentences: string[] = [];
  for (const { field, nothing, known: read } of [
    ...(openFilters[operationId] ?? []),
    ...(isIsolated ? [] : [anyAgent]),
  ]) {
    const asked = [input[field]].flat().filter((value) => typeof value === "string" && value !== "*");
    if (asked.length === 0) continue;
    const known = (await read(from)).filter((name) => name !== "");
    for (const value of asked.map(String).filter((one) => !known.includes(one))) {
      const way = didYouMean(value, known);
      if (way !== undefined) sentences.push(`${nothing(value)}; ${way}`);
    }
  }
  return sentences;
}

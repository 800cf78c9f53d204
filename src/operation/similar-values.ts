import { didYouMean } from "../text/similar-names.ts";

/*
 * Suggestions for filters that accept any word, such as a tag. If a filter leaves an answer empty and its value is not
 * stored, similar stored values are suggested. They are only read in that case.
 */

interface OpenFilter {
  readonly field: string;
  /** What its values are names of. */
  readonly names: FilterNames;
  /** The sentence that says that a value does not exist: `no action has the tag urgnet`. */
  readonly nothing: (value: string) => string;
}

type FilterNames =
  | "actionTags"
  | "agents"
  | "assignees"
  | "auditOperations"
  | "branches"
  | "labels"
  | "repositories"
  | "routineTags"
  | "sessionTags";

/** Reads stored names; `asked` is the first that is looked for. Undefined for those that the reader may not know. */
export type NameReader = (
  names: FilterNames,
  asked: string,
) => Promise<readonly string[] | undefined> | undefined;

const openFilters: Readonly<Record<string, readonly OpenFilter[]>> = {
  "audit.list": [
    { field: "operation", names: "auditOperations", nothing: (value) => `no operation is called ${value}` },
  ],
  "actions.list": [
    { field: "tag", names: "actionTags", nothing: (value) => `no recent action has the tag ${value}` },
    {
      field: "assignedTo",
      names: "assignees",
      nothing: (value) => `no recent action is assigned to ${value}`,
    },
  ],
  "routines.list": [
    { field: "tag", names: "routineTags", nothing: (value) => `no recent routine has the tag ${value}` },
  ],
  "sessions.list": [
    { field: "tag", names: "sessionTags", nothing: (value) => `no recent session has the tag ${value}` },
  ],
  "commits.list": [
    { field: "branch", names: "branches", nothing: (value) => `no recent commit is of a branch ${value}` },
    {
      field: "repo",
      names: "repositories",
      nothing: (value) => `no recent commit is of a repository ${value}`,
    },
  ],
  "facets.query": [
    { field: "matchAll", names: "labels", nothing: (value) => `no record has the label ${value}` },
    { field: "matchAny", names: "labels", nothing: (value) => `no record has the label ${value}` },
  ],
};

const anyAgent: OpenFilter = {
  field: "agentId",
  names: "agents",
  nothing: (value) => `no recent session or memory belongs to an agent ${value}`,
};

/** A sentence for each filter value that is not stored but is close to a stored one. */
export async function similarValueHints(
  operationId: string,
  input: Readonly<Record<string, unknown>>,
  read: NameReader,
): Promise<string[]> {
  const sentences: string[] = [];
  for (const { field, nothing, names } of [anyAgent, ...(openFilters[operationId] ?? [])]) {
    const asked = [input[field]]
      .flat()
      .flatMap((value) => (typeof value === "string" && value !== "*" ? [value] : []));
    const [first] = asked;
    if (first === undefined) continue;
    const known = (await read(names, first)) ?? [];
    for (const value of asked) {
      const way = known.includes(value) ? undefined : didYouMean(value, known);
      if (way !== undefined) sentences.push(`${nothing(value)}; ${way}`);
    }
  }
  return sentences;
}

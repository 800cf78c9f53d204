import { didYouMean } from "../../text/similar-names.ts";
import { type Source, type StoredNames, storedNames } from "./stored-names.ts";

/*
 * Suggestions for filters that accept any word, such as a tag. If a filter leaves an answer empty and its value is not
 * stored, similar stored values are suggested. They are only read in that case.
 */

interface OpenFilter {
  readonly field: string;
  readonly names: StoredNames;
  /** The sentence that says that a value does not exist: `no action has the tag urgnet`. */
  readonly nothing: (value: string) => string;
}

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

/** A sentence for each filter value that is not stored but is close to a stored one. */
export async function similarValueHints(
  operationId: string,
  named: Readonly<Record<string, unknown>>,
  from: Source,
): Promise<string[]> {
  const sentences: string[] = [];
  for (const { field, nothing, names } of openFilters[operationId] ?? []) {
    const asked = [named[field]].flat().filter((value) => typeof value === "string");
    if (asked.length === 0) continue;
    const known: readonly string[] = await storedNames[names](from);
    for (const value of asked.filter((one) => !known.includes(one))) {
      const way = didYouMean(value, known);
      if (way !== undefined) sentences.push(`${nothing(value)}; ${way}`);
    }
  }
  return sentences;
}

import { groupBy } from "../../group-by.ts";
import { replacements } from "../decisions/replaced-decisions.ts";
import type { SemanticMemory } from "./record.ts";

interface ListedFact extends Pick<SemanticMemory, "id" | "fact" | "lastStatedAt" | "createdAt"> {
  readonly projectKey: string | null;
}

/** By the id of a fact whose decision a later one of the same list and project replaces: the id of that one. */
export function replacedFacts(listed: readonly ListedFact[]): ReadonlyMap<string, string> {
  const decided = listed.map(({ id, fact: text, projectKey, lastStatedAt, createdAt }, place) => {
    const at = Date.parse(lastStatedAt ?? createdAt);
    return { id, projectKey, place, text, at };
  });
  const ofProjects = [...groupBy(decided, ({ projectKey }) => projectKey).values()];
  return new Map(
    ofProjects.flatMap((own) => [...replacements(own)].map(([{ id }, by]) => [id, by.id] as const)),
  );
}

import { groupBy } from "../../group-by.ts";
import { type Decision, replacements, standing } from "../decisions/replaced-decisions.ts";
import type { SemanticMemory } from "./record.ts";

type StatedFact = Pick<SemanticMemory, "id" | "fact" | "lastStatedAt" | "createdAt">;

interface ListedFact extends StatedFact {
  readonly projectKey: string | null;
}

/** By the id of a fact whose decision a later one of the same list and project replaces: the id of that one. */
export function replacedFacts(listed: readonly ListedFact[]): ReadonlyMap<string, string> {
  const decided = listed.map((fact, place) => ({
    ...asDecision(fact, place),
    id: fact.id,
    projectKey: fact.projectKey,
  }));
  const ofProjects = [...groupBy(decided, ({ projectKey }) => projectKey).values()];
  return new Map(
    ofProjects.flatMap((own) => [...replacements(own)].map(([{ id }, by]) => [id, by.id] as const)),
  );
}

/** The facts of one project whose decisions none of them, and none of `others`, replaces later. */
export function standingFacts<Fact extends StatedFact>(
  facts: readonly Fact[],
  others: readonly Decision[],
): Fact[] {
  const decided = facts.map((fact, place) => ({ ...asDecision(fact, place), fact }));
  return standing(decided, others).map(({ fact }) => fact);
}

function asDecision({ fact: text, lastStatedAt, createdAt }: StatedFact, place: number): Decision {
  return { text, at: Date.parse(lastStatedAt ?? createdAt), place };
}

import { textsAfterLabel } from "../../capture/observations/rules/fact-labels.ts";
import { groupBy } from "../../group-by.ts";
import { type Decision, replacements } from "../../knowledge/decisions/replaced-decisions.ts";
import { toldDecisions } from "../../knowledge/decisions/told-decisions.ts";
import type { ShownHit } from "./shown-hit.ts";
import { isCut } from "./snippet.ts";

interface HitDecision extends Decision, Pick<ShownHit, "projectKey"> {
  readonly ref: string;
}

/**
 * By the ref of a hit whose decisions later hits of its project, or of none, replace: the ref of the one that replaces
 * the last of them.
 */
export function replacedHits(hits: readonly ShownHit[]): ReadonlyMap<string, string> {
  const made = hits.flatMap(decisionsOf);
  const ofProjects = groupBy(made, ({ projectKey }) => projectKey);
  const replaced = new Map(
    [...ofProjects].flatMap(([key, own]) => [
      ...replacements(own, key === null ? [] : (ofProjects.get(null) ?? [])),
    ]),
  );
  const standing = new Set(made.filter((one) => !replaced.has(one)).map(({ ref }) => ref));
  return new Map(
    [...replaced].flatMap(([{ ref }, by]) => (standing.has(ref) ? [] : [[ref, by.ref] as const])),
  );
}

function decisionsOf(hit: ShownHit): HitDecision[] {
  const { ref, projectKey, createdAt: at } = hit;
  return textsOf(hit).map((text, place) => ({ text, at, place, ref, projectKey }));
}

/** Of an observation, the decisions among the facts that its text ends with; one at the end may be cut. */
function textsOf({ kind, snippet }: ShownHit): string[] {
  if (kind === "memory") return [snippet];
  if (kind !== "observation") return [];
  const lines = snippet.split("\n");
  const decisions = textsAfterLabel("decision", isCut(snippet) ? lines.slice(0, -1) : lines);
  return decisions.length === 0 ? [] : toldDecisions(decisions);
}

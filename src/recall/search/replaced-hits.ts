import { notedDecisions } from "../../capture/observations/reads/noted-decisions.ts";
import { groupBy } from "../../group-by.ts";
import { readSketches } from "../../index/hits.ts";
import { type Decision, replacements } from "../../knowledge/decisions/replaced-decisions.ts";
import { toldDecisions } from "../../knowledge/decisions/told-decisions.ts";
import type { Sql } from "../../store/sql.ts";
import type { StreamHit } from "./fusion.ts";
import type { ShownHit } from "./shown-hit.ts";

/** What replaces a decision names it, and so is rarely found far behind it. */
const mostOthers = 100;

type DecidingHit = Pick<ShownHit, "kind" | "ref" | "projectKey" | "createdAt" | "snippet" | "answer">;

interface HitDecision extends Decision, Pick<ShownHit, "projectKey"> {
  readonly ref: string;
}

/**
 * By the ref of a shown hit whose decisions later hits of its project, or of none, replace: the ref of the one that
 * replaces the last of them, which may be one of the others that were found. What the agent answered to a prompt counts
 * as decided in the prompt.
 */
export async function replacedHits(
  sql: Sql,
  shown: readonly DecidingHit[],
  others: readonly StreamHit[],
): Promise<ReadonlyMap<string, string>> {
  const made = await decisionsOf(sql, shown);
  if (made.length === 0) return new Map();
  const later = await decisionsOf(sql, await withTexts(sql, others.slice(0, mostOthers)));
  const laterOfProjects = groupBy(later, ({ projectKey }) => projectKey);
  const ofProjects = groupBy(made, ({ projectKey }) => projectKey);
  const replaced = new Map(
    [...ofProjects].flatMap(([key, own]) => {
      const ofNone =
        key === null ? [] : [...(ofProjects.get(null) ?? []), ...(laterOfProjects.get(null) ?? [])];
      return [...replacements(own, [...(laterOfProjects.get(key) ?? []), ...ofNone])];
    }),
  );
  const standing = new Set(made.filter((one) => !replaced.has(one)).map(({ ref }) => ref));
  return new Map(
    [...replaced].flatMap(([{ ref }, by]) => (standing.has(ref) ? [] : [[ref, by.ref] as const])),
  );
}

async function withTexts(sql: Sql, hits: readonly StreamHit[]): Promise<DecidingHit[]> {
  const sketches = await readSketches(
    sql,
    hits.map(({ id }) => id),
  );
  return hits.flatMap((hit) => {
    const sketch = sketches.get(hit.id);
    return sketch === undefined ? [] : [{ ...hit, ...sketch }];
  });
}

async function decisionsOf(sql: Sql, hits: readonly DecidingHit[]): Promise<HitDecision[]> {
  const told = hits.filter(({ kind }) => kind === "observation").flatMap(tellingIds);
  const texts = groupBy(await notedDecisions(sql, told), ({ id }) => id);
  return hits.flatMap((hit) => {
    const { kind, ref, projectKey, createdAt: at, snippet } = hit;
    const decisions = tellingIds(hit).flatMap((id) => (texts.get(id) ?? []).map(({ text }) => text));
    return (kind === "memory" ? [snippet] : toldDecisions(decisions)).map((text, place) => ({
      ...{ text, at, place, ref, projectKey },
    }));
  });
}

/** The ids of the observations whose decisions a hit tells. */
function tellingIds({ ref, answer }: DecidingHit): string[] {
  return answer === undefined ? [ref] : [ref, answer.obsId];
}

import { notedDecisions } from "../../capture/observations/reads/noted-decisions.ts";
import { groupBy } from "../../group-by.ts";
import { type Decision, replacements } from "../../knowledge/decisions/replaced-decisions.ts";
import { toldDecisions } from "../../knowledge/decisions/told-decisions.ts";
import type { Sql } from "../../store/sql.ts";
import type { ShownHit } from "./shown-hit.ts";

interface HitDecision extends Decision, Pick<ShownHit, "projectKey"> {
  readonly ref: string;
}

/**
 * By the ref of a hit whose decisions later hits of its project, or of none, replace: the ref of the one that replaces
 * the last of them. What the agent answered to a prompt counts as decided in the prompt.
 */
export async function replacedHits(
  sql: Sql,
  hits: readonly ShownHit[],
): Promise<ReadonlyMap<string, string>> {
  const made = await decisionsOf(sql, hits);
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

async function decisionsOf(sql: Sql, hits: readonly ShownHit[]): Promise<HitDecision[]> {
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
function tellingIds({ ref, answer }: ShownHit): string[] {
  return answer === undefined ? [ref] : [ref, answer.obsId];
}

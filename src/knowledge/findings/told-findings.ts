import { toldTexts } from "../../capture/observations/reads/told-texts.ts";
import { turnBefore } from "../../capture/observations/reads/turn-before.ts";
import type { Sql } from "../../store/sql.ts";
import { firstLine } from "../../text/first-line.ts";
import { pathsIn } from "../../text/paths-in-text.ts";
import type { Unit } from "../consolidation/unit.ts";
import { findingTitle } from "./finding-title.ts";
import { type Finding, findingsIn } from "./findings-in.ts";

/** Of a run; those of earlier texts are left to the next one. */
const mostPerRun = 300;
const mostFiles = 5;
const longestSubject = 200;

/** A finding with where it was told. */
export interface ToldFinding extends Finding {
  readonly title: string;
  readonly files: readonly string[];
  readonly concepts: readonly string[];
  readonly observationId: string;
  readonly sessionId: string;
}

/** The findings that agents told in a project and of which no memory was made yet, in the order of time. */
export async function toldFindings(
  sql: Sql,
  { projectKey, filter }: Pick<Unit, "projectKey" | "filter">,
): Promise<ToldFinding[]> {
  if (projectKey === null) return [];
  const newestFirst: ToldFinding[] = [];
  for await (const told of toldTexts(sql, { projectKey, filter })) {
    const findings = findingsIn(told.text);
    if (findings.length === 0) continue;
    const { asked, changed } = await turnBefore(sql, told);
    // What a commit is about, its first line says.
    const subject = told.kind === "commit" ? firstLine(told.text, longestSubject) : asked;
    newestFirst.push(
      ...findings.toReversed().map((finding) => ({
        ...finding,
        title: findingTitle(finding, subject),
        files: filesOf(finding, changed),
        concepts: told.concepts,
        observationId: told.id,
        sessionId: told.sessionId,
      })),
    );
    if (newestFirst.length >= mostPerRun) break;
  }
  return newestFirst.reverse();
}

/** The files that the finding names, as the agent's tools name them, then others of its turn. */
function filesOf({ text }: Finding, changed: readonly string[]): string[] {
  const named = pathsIn(text).map((path) => changed.find((file) => file.endsWith(`/${path}`)) ?? path);
  return [...new Set([...named, ...changed])].slice(0, mostFiles);
}

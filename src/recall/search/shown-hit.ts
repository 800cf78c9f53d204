import { textAfterAnyLabel } from "../../capture/observations/rules/fact-labels.ts";
import type { DocumentSketch } from "../../index/hits.ts";
import type { MemoryRow } from "../../knowledge/memories/record.ts";
import { timeText } from "../../operation/fields.ts";
import { recordOf } from "../../operation/record-of.ts";
import { cutCodePoints } from "../../text/code-points.ts";
import type { StreamHit } from "./fusion.ts";
import { CompactSearchResult, type Match, type PromptAnswer } from "./record.ts";
import { isCut, snippetLength } from "./snippet.ts";

/** Characters that an answer takes beside its results. */
export const roomForCounts = 500;

/** The fields of a record that a list of results shows. */
export interface ShownHit
  extends DocumentSketch,
    Pick<StreamHit, "kind" | "ref" | "sessionId" | "createdAt"> {
  readonly match?: Match | undefined;
  /** A passage that shows why it was found, unless its beginning does. */
  readonly passage?: string | undefined;
  readonly moreRuns?: number;
  /** The ref of a later hit that replaces what it decides. */
  readonly replacedBy?: string | undefined;
  /** What the agent answered, if it is a prompt. */
  readonly answer?: PromptAnswer | undefined;
}

/** What the answer's record of a hit is made of. */
export type AnsweredHit = Omit<ShownHit, "projectKey">;

/** A memory as a search would show it. */
export function memoryHit(row: MemoryRow): ShownHit {
  return {
    kind: "memory",
    ref: row.id,
    sessionId: row.sessionIds[0] ?? null,
    createdAt: row.createdAt,
    title: row.title,
    type: row.type,
    snippet: row.content,
    project: row.project,
    projectKey: row.projectKey,
    files: row.files,
  };
}

/**
 * The text of an observation without the facts below it that repeat its title or the text, nor the part of one that is
 * left where the text was cut.
 */
function withoutRepeats({ title, snippet }: AnsweredHit): string {
  let told = title;
  const lines = snippet.split("\n");
  const cutAt = isCut(snippet) ? lines.length - 1 : lines.length;
  const kept = lines.filter((line, at) => {
    const fact = at === 0 ? undefined : textAfterAnyLabel(line);
    if (fact !== undefined && (at === cutAt || told.includes(fact.replace(/…$/u, "")))) return false;
    told += ` ${line}`;
    return true;
  });
  return kept.join("\n");
}

/** What is shown of a hit beside its own record, in every format. */
export function amongOthers({ moreRuns, replacedBy, answer }: AnsweredHit): {
  moreRuns?: number;
  replacedBy?: string;
  answer?: PromptAnswer;
} {
  return {
    ...(moreRuns === undefined ? {} : { moreRuns }),
    ...(replacedBy === undefined ? {} : { replacedBy }),
    ...(answer === undefined ? {} : { answer }),
  };
}

const kindOrObservation = CompactSearchResult.shape.kind.catch("observation");

export function compactResult(hit: AnsweredHit, score: number): CompactSearchResult {
  return recordOf({
    obsId: hit.ref,
    sessionId: hit.sessionId ?? "",
    title: hit.title,
    type: hit.type,
    score,
    match: hit.match,
    timestamp: timeText(hit.createdAt),
    narrative: cutCodePoints(hit.kind === "observation" ? withoutRepeats(hit) : hit.snippet, snippetLength),
    passage: hit.passage,
    ...amongOthers(hit),
    kind: kindOrObservation.parse(hit.kind),
    project: hit.project,
    files: hit.files.length === 0 ? undefined : [...hit.files],
  });
}

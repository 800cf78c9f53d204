import { turnAnswersOf } from "../../capture/observations/reads/turn-answers.ts";
import { isInformative } from "../../knowledge/summaries/answer-gist.ts";
import type { Sql } from "../../store/sql.ts";
import { cutCodePoints } from "../../text/code-points.ts";
import type { StreamHit } from "./fusion.ts";
import type { PromptAnswer } from "./record.ts";
import { snippetLength } from "./snippet.ts";

/**
 * By the ref of a hit that is a prompt: what the agent answered, unless that says nothing or is a hit itself. A question
 * is found by its words; its answer often has none of them.
 */
export async function answeredPrompts(
  sql: Sql,
  hits: readonly Pick<StreamHit, "kind" | "ref">[],
): Promise<ReadonlyMap<string, PromptAnswer>> {
  const refs = hits.filter(({ kind }) => kind === "observation").map(({ ref }) => ref);
  if (refs.length === 0) return new Map();
  const shown = new Set(refs);
  const answers = await turnAnswersOf(sql, refs);
  return new Map(
    answers
      .filter(({ id, narrative }) => !shown.has(id) && isInformative(narrative))
      .map(({ prompt, id, narrative }) => [
        prompt,
        { obsId: id, narrative: cutCodePoints(narrative, snippetLength) },
      ]),
  );
}

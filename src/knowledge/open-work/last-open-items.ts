import type { Answer } from "../../capture/observations/reads/last-statements.ts";
import { isInformative } from "../summaries/answer-gist.ts";
import { openItemsOfAnswer } from "./open-items.ts";
import { saysAllDone } from "./todo-cues.ts";

/** Open items, and the answer that names them. */
interface NamedItems {
  readonly answer: Answer;
  readonly items: readonly string[];
}

/**
 * Open items in the last informative answer of a session. If it has none, those of the last earlier answer that has
 * some, provided that no work was done after it and that no later answer says that all is done.
 */
export function lastOpenItems(answers: readonly Answer[]): NamedItems | undefined {
  const [last, ...earlier] = answers.filter(({ narrative }) => isInformative(narrative)).reverse();
  if (last === undefined) return undefined;
  for (const answer of [last, ...earlier.filter(({ hasWorkAfter }) => !hasWorkAfter)]) {
    const items = openItemsOfAnswer(answer.narrative);
    if (items.length > 0) return { answer, items };
    if (saysAllDone(answer.narrative)) break;
  }
  return undefined;
}

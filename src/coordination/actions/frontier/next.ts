import type { Frontier, Suggestion } from "./answers.ts";

/** The first action of a frontier, and a sentence on how many others there are. */
export function suggestionFrom({ frontier, totalActions, totalUnblocked }: Frontier): Suggestion {
  const [first] = frontier;
  if (first === undefined) {
    const message =
      totalActions === 0
        ? "nothing is to be done"
        : `nothing can be worked on now: what is to be done (${totalActions}) is blocked or held by others`;
    return { suggestion: null, message, totalActions, totalUnblocked };
  }
  const { id: actionId, title, description, priority, tags } = first.action;
  return {
    suggestion: { actionId, title, description, priority, score: first.score, tags },
    message: `work on "${title}": the first of ${totalUnblocked} that can be worked on now`,
    totalActions,
    totalUnblocked,
  };
}

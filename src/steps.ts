/** A work that is carried out step by step, so that others may have their turns in between (`inTurns`). */
export type Steps<Result> = Generator<undefined, Result>;

/** So many items of a list are worked on in a step. */
export const itemsInStep = 32;

/** Carries it out without a break. */
export function atOnce<Result>(steps: Steps<Result>): Result {
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
}

/** What a function makes of each item. */
export function* mapInSteps<Item, Result>(
  items: readonly Item[],
  map: (item: Item, at: number) => Result,
): Steps<Result[]> {
  const results: Result[] = [];
  for (const [at, item] of items.entries()) {
    if (at % itemsInStep === 0) yield;
    results.push(map(item, at));
  }
  return results;
}

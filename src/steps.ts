/** Work in steps, between which the caller can yield to the event loop (`runYielding`). */
export type Steps<Result> = Generator<undefined, Result>;

/** Items of a list per step. */
export const itemsInStep = 32;

/** Runs all steps without interruption. */
export function runUninterrupted<Result>(steps: Steps<Result>): Result {
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
}

/** Maps a list in steps. */
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

import { setImmediate as nextTurn } from "node:timers/promises";
import { mapInSteps, type Steps } from "../steps.ts";
import type { Sql } from "./sql.ts";

/** How long work may block the event loop at a stretch. */
const sliceMs = 8;

/**
 * Returns a function that long-running work awaits often: it yields to the event loop whenever a time slice is over.
 */
export function turnGiver(): () => Promise<void> {
  let sliceEnd = performance.now() + sliceMs;
  return async () => {
    if (performance.now() < sliceEnd) return;
    await nextTurn();
    sliceEnd = performance.now() + sliceMs;
  };
}

/** Runs work that consists of steps, yielding to the event loop between them. */
export async function runYielding<Result>(
  steps: Steps<Result>,
  giveTurn: () => Promise<void> = turnGiver(),
): Promise<Result> {
  let step = steps.next();
  while (step.done !== true) {
    await giveTurn();
    step = steps.next();
  }
  return step.value;
}

/** Maps many items, yielding to the event loop in between. */
export function mapInTurns<Item, Result>(
  items: readonly Item[],
  map: (item: Item) => Result,
): Promise<Result[]> {
  return runYielding(mapInSteps(items, map));
}

/** Wraps a connection for work with many statements: it yields to the event loop between them. */
export function yieldingConnection(sql: Sql): Sql {
  const giveTurn = turnGiver();
  const thenTurn = async <Result>(result: Result): Promise<Result> => {
    await giveTurn();
    return result;
  };
  return {
    all: async <Row>(...[text, args]: Parameters<Sql["all"]>) => thenTurn(await sql.all<Row>(text, args)),
    values: async (text, args) => thenTurn(await sql.values(text, args)),
    run: async (text, args) => thenTurn(await sql.run(text, args)),
  };
}

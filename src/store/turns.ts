import { setImmediate as nextTurn } from "node:timers/promises";
import { mapInSteps, type Steps } from "../steps.ts";
import type { Sql } from "./sql.ts";

/** How long a long work may keep the event loop from all others. */
const sliceMs = 8;

/** For a long work: awaited often, it gives the event loop a turn whenever a slice of time is over. */
export function turnGiver(): () => Promise<void> {
  let sliceEnd = performance.now() + sliceMs;
  return async () => {
    if (performance.now() < sliceEnd) return;
    await nextTurn();
    sliceEnd = performance.now() + sliceMs;
  };
}

/** Carries out a work that is made of steps, between which the event loop gets its turns. */
export async function inTurns<Result>(
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

/** What a function makes of each of many items. */
export function mapInTurns<Item, Result>(
  items: readonly Item[],
  map: (item: Item) => Result,
): Promise<Result[]> {
  return inTurns(mapInSteps(items, map));
}

/** A connection for a work of many statements: between them the event loop gets its turns. */
export function givingTurns(sql: Sql): Sql {
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

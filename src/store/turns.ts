import { setImmediate as nextTurn } from "node:timers/promises";
import type { Sql } from "./sql.ts";

/** How long a long work may keep the event loop from all others. */
const sliceMs = 8;

/** A connection for a work of many statements: between them the event loop gets its turns. */
export function givingTurns(sql: Sql): Sql {
  let sliceEnd = performance.now() + sliceMs;
  const thenTurn = async <Result>(result: Result): Promise<Result> => {
    if (performance.now() < sliceEnd) return result;
    await nextTurn();
    sliceEnd = performance.now() + sliceMs;
    return result;
  };
  return {
    all: async <Row>(...[text, args]: Parameters<Sql["all"]>) => thenTurn(await sql.all<Row>(text, args)),
    values: async (text, args) => thenTurn(await sql.values(text, args)),
    run: async (text, args) => thenTurn(await sql.run(text, args)),
  };
}

import {
  type ObservationText,
  type ReadTexts,
  textsAfter,
} from "../../capture/observations/reads/graph-rows.ts";
import { firstColumn, type Sql } from "../../store/sql.ts";

/** The observations that no model has been asked about, in chunks, in the order of their rows. */
export async function* unextracted(sql: Sql, only: ReadTexts): AsyncGenerator<ObservationText[]> {
  for (let place: number | undefined = 0; place !== undefined; ) {
    const { texts, last } = await textsAfter(sql, place, only);
    yield withoutExtracted(sql, texts);
    place = last;
  }
}

async function withoutExtracted(sql: Sql, texts: readonly ObservationText[]): Promise<ObservationText[]> {
  const done = new Set(
    await firstColumn(
      sql,
      `SELECT ref FROM graph_sources
       WHERE kind = 'observation' AND extracted = 1 AND ref IN (SELECT value FROM json_each(?))`,
      [JSON.stringify(texts.map(({ id }) => id))],
    ),
  );
  return texts.filter(({ id }) => !done.has(id));
}

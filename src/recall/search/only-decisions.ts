import { notedDecisions } from "../../capture/observations/reads/noted-decisions.ts";
import { toldDecisions } from "../../knowledge/decisions/told-decisions.ts";
import type { Sql } from "../../store/sql.ts";
import type { DocumentStream } from "./streams.ts";

/** The hits that decide something: memories, and events in which a decision was noted. */
export async function onlyDecisions(sql: Sql, streams: readonly DocumentStream[]): Promise<DocumentStream[]> {
  const found = streams.flatMap(({ hits }) => hits.filter(({ kind }) => kind === "observation"));
  const noted = await notedDecisions(
    sql,
    found.map(({ ref }) => ref),
  );
  const deciding = new Set(noted.filter(({ text }) => toldDecisions([text]).length > 0).map(({ id }) => id));
  return streams.map(({ hits, ...stream }) => ({
    ...stream,
    hits: hits.filter(({ kind, ref }) => kind === "memory" || deciding.has(ref)),
  }));
}

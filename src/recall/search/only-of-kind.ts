import { notedDecisions } from "../../capture/observations/reads/noted-decisions.ts";
import {
  changedFilesAmong,
  failedAmong,
  madeCommitsAmong,
} from "../../capture/observations/reads/outcomes.ts";
import { toldDecisions } from "../../knowledge/decisions/told-decisions.ts";
import type { Sql } from "../../store/sql.ts";
import type { AskedKind } from "./asked-kinds.ts";
import type { DocumentStream } from "./streams.ts";

/** The hits of a kind: of observations those that did something of the kind, and for decisions all memories. */
export async function onlyOfKind(
  sql: Sql,
  streams: readonly DocumentStream[],
  kind: Exclude<AskedKind, "open">,
): Promise<DocumentStream[]> {
  const found = streams.flatMap(({ hits }) =>
    hits.filter((hit) => hit.kind === "observation").map(({ ref }) => ref),
  );
  const ofKind = await amongObservations(sql, found, kind);
  const isOfKind = (hit: DocumentStream["hits"][number]): boolean =>
    hit.kind === "memory" ? kind === "decisions" : ofKind.has(hit.ref);
  return streams.map(({ hits, ...stream }) => ({ ...stream, hits: hits.filter(isOfKind) }));
}

async function amongObservations(
  sql: Sql,
  ids: readonly string[],
  kind: Exclude<AskedKind, "open">,
): Promise<ReadonlySet<string>> {
  switch (kind) {
    case "decisions": {
      const noted = await notedDecisions(sql, ids);
      return new Set(noted.filter(({ text }) => toldDecisions([text]).length > 0).map(({ id }) => id));
    }
    case "errors":
      return failedAmong(sql, ids);
    case "commits":
      return madeCommitsAmong(sql, ids);
    case "changes":
      return changedFilesAmong(sql, ids);
  }
}

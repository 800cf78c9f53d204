import { shortAnswersAmong } from "../../capture/observations/reads/short-answers.ts";
import type { SearchHit } from "../../index/hits.ts";
import { isInformative } from "../../knowledge/summaries/answer-gist.ts";
import type { Sql } from "../../store/sql.ts";
import { type DocumentStream, isWork } from "./streams.ts";

/** The importance of short replies, reads and searches, as hits have it: from 0 for 1 to 1 for 10. */
const littleImportance = 2 / 9;

/** The hits of a time that are work that somebody did; those that say little (`ok`, `Done.`) follow at the end. */
export async function tellingFirst(sql: Sql, streams: readonly DocumentStream[]): Promise<DocumentStream[]> {
  const refs = streams.flatMap(({ hits }) =>
    hits.flatMap(({ kind, ref }) => (kind === "observation" ? [ref] : [])),
  );
  const answers = await shortAnswersAmong(sql, refs);
  const says = ({ kind, ref, importance }: SearchHit): boolean => {
    if (kind !== "observation") return true;
    const answer = answers.get(ref);
    return importance > littleImportance && (answer === undefined || isInformative(answer));
  };
  return streams.map(({ hits, ...stream }) => {
    const work = hits.filter(isWork);
    return { ...stream, hits: [...work.filter(says), ...work.filter((hit) => !says(hit))] };
  });
}

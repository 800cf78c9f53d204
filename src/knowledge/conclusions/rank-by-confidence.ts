import type { ViewRequest } from "../../capture/sessions/view.ts";
import type { SearchHit } from "../../index/hits.ts";
import type { SearchQuestion, SearchStreams } from "../../index/search-streams.ts";
import { type ConfidenceCurve, confidenceAt, confidenceScore } from "./confidence.ts";

/** What a request asks of the conclusions of a kind. */
export interface ConclusionSearch extends ViewRequest {
  readonly query: string;
  readonly minConfidence: number;
  readonly limit: number;
}

/** The `kinds` of its scope are ignored. */
interface ConclusionQuestion extends SearchQuestion {
  readonly kind: "lesson" | "insight";
  readonly minConfidence: number;
  /** Whether confidence decays, by the settings. */
  readonly decays: boolean;
}

interface RankedHit<Row> {
  readonly hit: SearchHit;
  readonly row: Row;
  /** Confidence times the share of the best keyword score, reduced by the time since it was confirmed. */
  readonly score: number;
}

/**
 * Records ranked by keyword match, confidence and how recently they were confirmed: all candidates for an answer
 * of `limit`, which the caller cuts.
 */
export async function rankByConfidence<Row extends ConfidenceCurve & { readonly id: string }>(
  streams: Pick<SearchStreams, "keyword">,
  { kind, query, scope, minConfidence, limit, decays }: ConclusionQuestion,
  byIds: (ids: readonly string[]) => Promise<readonly Row[]>,
): Promise<RankedHit<Row>[]> {
  const candidates = Math.min(500, Math.max(50, 5 * limit));
  const hits = await streams.keyword({ query, scope: { ...scope, kinds: [kind] }, limit: candidates });
  const best = hits[0]?.score ?? 1;
  const rows = new Map((await byIds(hits.map(({ ref }) => ref))).map((row) => [row.id, row]));
  return hits
    .flatMap((hit) => {
      const row = rows.get(hit.ref);
      if (row === undefined || confidenceAt(row, scope.now, decays) < minConfidence) return [];
      return [{ hit, row, score: confidenceScore(row, hit.score / best, scope.now, decays) }];
    })
    .sort((a, b) => b.score - a.score || b.hit.createdAt - a.hit.createdAt);
}

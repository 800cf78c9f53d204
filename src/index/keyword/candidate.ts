import type { Ranked } from "../hits.ts";

/** A document that is scored for a query. */
export interface Candidate {
  readonly id: number;
  readonly kind: string;
  /** Whether it is a message of a conversation: messages depend more on their neighbours (context-scores.ts). */
  readonly isMessage: boolean;
  readonly sessionId: string | null;
  /** Milliseconds. */
  readonly createdAt: number;
  /** 0 to 1. */
  readonly importance: number;
  /** Tokens in title and body. */
  readonly words: number;
  /** BM25F: the sum of `parts`. */
  readonly score: number;
  /** The contribution of each word of the query to the score, in the order of the words. */
  readonly parts: Float64Array;
  /** The document's length normalisation: see `saturationOf` in bm25f.ts. */
  readonly saturation: number;
}

/** The `type` of documents that are messages. */
export const messageType = "conversation";

/** Best first, newest first among equals. */
export function byScore(a: Ranked, b: Ranked): number {
  return b.score - a.score || b.id - a.id;
}

/** The sum of the parts of a score. */
export function sumOf(parts: Float64Array): number {
  let total = 0;
  for (const part of parts) total += part;
  return total;
}

/** The indices of the best scores, best first; of equal scores the earlier first. */
export function bestPlaces(scores: ArrayLike<number>, wanted: number): Uint32Array {
  const places = new Uint32Array(Math.min(wanted, scores.length));
  const best = new Float64Array(places.length);
  let size = 0;
  for (let place = 0; place < scores.length; place += 1) {
    const score = scores[place] ?? 0;
    if (size === places.length && score <= (best[size - 1] ?? Infinity)) continue;
    if (size < places.length) size += 1;
    let at = size - 1;
    for (; at > 0 && (best[at - 1] ?? 0) < score; at -= 1) {
      best[at] = best[at - 1] ?? 0;
      places[at] = places[at - 1] ?? 0;
    }
    best[at] = score;
    places[at] = place;
  }
  return places;
}

/** The items at the given indices, in the order of the indices. */
export function itemsAt<T>(items: readonly T[], places: Uint32Array): T[] {
  const taken: T[] = [];
  for (const place of places) {
    const item = items[place];
    if (item !== undefined) taken.push(item);
  }
  return taken;
}

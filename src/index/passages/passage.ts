import { cutCodePoints } from "../../text/code-points.ts";
import { excerptAround } from "./excerpt.ts";
import type { WordPlace } from "./word-places.ts";

/*
 * Finds the passage that shows why a search found a text, in addition to its beginning: the place where the matched
 * words with the greatest total weight stand close together. Words of the title count less, because the title is shown
 * anyway.
 */

/** Code points. */
export const passageLength = 300;

/** Matched words may span this share of a passage, which leaves room for the words around them. */
const shareOfWords = 0.8;
const titleShare = 0.3;
/**
 * Shares of a word's weight: for each repetition in the passage, up to `mostAgain`, and for another word within
 * `closeWithin` characters.
 */
const againShare = 0.1;
const mostAgain = 2;
const closeShare = 0.2;
const closeWithin = 30;
/** The most places that are looked at, because each is compared with those near it. */
const mostPlaces = 1_000;
/** No passage is shown if title and beginning contain this share of the weight that title and passage contain. */
const enough = 0.75;

export interface SearchedText {
  readonly title: string;
  readonly body: string;
}

/**
 * Makes a function that finds the best passage of a text. It returns undefined if title and beginning of the text show
 * nearly as much, or if the body contains no matched word. `find`: the places of `words` in a text, in order.
 */
export function passageFinder(
  words: readonly { readonly weight: number }[],
  find: (text: string) => readonly WordPlace[],
  length: number = passageLength,
): (text: SearchedText) => string | undefined {
  return ({ title, body }) => {
    const begun = cutCodePoints(body, length);
    if (begun.length === body.length) return undefined;
    const places = find(body).slice(0, mostPlaces);
    if (places.length === 0) return undefined;
    const titled = new Set(find(title).map(({ word }) => word));
    const toldBy = (some: readonly WordPlace[]) => {
      const told = new Set([...titled, ...some.map(({ word }) => word)]);
      return [...told].reduce((sum, word) => sum + (words[word]?.weight ?? 0), 0);
    };
    const weights = words.map(({ weight }, word) => (titled.has(word) ? titleShare * weight : weight));
    const best = bestCluster(places, weights, shareOfWords * length);
    const [first] = best;
    const last = best.at(-1);
    if (first === undefined || last === undefined || last.end <= begun.length) return undefined;
    const shown = places.filter(({ end }) => end <= begun.length);
    if (toldBy(shown) >= enough * toldBy(best)) return undefined;
    const end = Math.max(...best.map((place) => place.end));
    return excerptAround(body, { at: first.at, end }, length);
  };
}

/** The places within `room` characters with the highest score, without those at either end that only repeat a word. */
function bestCluster(places: readonly WordPlace[], weights: readonly number[], room: number): WordPlace[] {
  let best: readonly WordPlace[] = [];
  let most = 0;
  let from = 0;
  let to = 0;
  for (const { at } of places) {
    while (to < places.length && (places[to]?.end ?? 0) - at <= room) to += 1;
    const cluster = places.slice(from, Math.max(to, from + 1));
    const told = toldTogether(cluster, weights);
    if (told > most) [best, most] = [cluster, told];
    from += 1;
  }
  return withoutOuterRepeats(best);
}

function toldTogether(cluster: readonly WordPlace[], weights: readonly number[]): number {
  const counts = new Map<number, number>();
  const pairs = new Set<string>();
  let told = 0;
  let before: WordPlace | undefined;
  for (const place of cluster) {
    const weight = weights[place.word] ?? 0;
    const count = counts.get(place.word) ?? 0;
    counts.set(place.word, count + 1);
    if (count === 0) told += weight;
    else if (count <= mostAgain) told += againShare * weight;
    const gap = before === undefined ? closeWithin : Math.max(0, place.at - before.end);
    if (before !== undefined && before.word !== place.word && gap < closeWithin) {
      const pair = `${before.word} ${place.word}`;
      const closeness = closeShare * (1 - gap / closeWithin);
      if (!pairs.has(pair)) told += closeness * Math.min(weight, weights[before.word] ?? 0);
      pairs.add(pair);
    }
    before = place;
  }
  return told;
}

function withoutOuterRepeats(cluster: readonly WordPlace[]): WordPlace[] {
  const kept = [...cluster];
  const isAgain = (place: WordPlace | undefined) =>
    place !== undefined && kept.some((other) => other !== place && other.word === place.word);
  while (isAgain(kept.at(-1))) kept.pop();
  while (isAgain(kept[0])) kept.shift();
  return kept;
}

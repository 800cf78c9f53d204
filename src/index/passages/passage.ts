import { cutCodePoints } from "../../text/code-points.ts";
import { excerptAround } from "./excerpt.ts";
import type { WordPlace } from "./word-places.ts";

/*
 * The passage of a text that shows why a search found it, for those who are shown its beginning alone: the places where
 * most of what the query's words tell stands together. A word that the title has counts less, because there it is seen.
 */

/** Code points. */
export const passageLength = 300;

/** Of a passage the words take no more than that, so that there is room for what stands around them. */
const shareOfWords = 0.8;
const titleShare = 0.3;
/** Of a word's weight: that it is said again in the passage, up to so often, and that another word stands close to it. */
const againShare = 0.1;
const mostAgain = 2;
const closeShare = 0.2;
const closeWithin = 30;
/** Only so many places are looked at, because each is compared with those near it. */
const mostPlaces = 1_000;
/** No passage is shown where title and beginning of the text already tell this share of what title and passage would. */
const enough = 0.75;

export interface SearchedText {
  readonly title: string;
  readonly body: string;
}

/** Finds in texts what they are shown by; undefined where title and beginning show as much, or no word stands there. */
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

/** The places within so many characters that tell most; without those at either end that only say a word again. */
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

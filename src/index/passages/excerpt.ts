import { withoutHalves } from "../../text/cut.ts";
import { cutAtGrapheme } from "../../text/grapheme-clusters.ts";
import { sentenceStops } from "../../text/sentence-stops.ts";

/*
 * A piece of a text as somebody would quote it, on one line: the sentences or lines that a place stands in, then what
 * follows and what went before, as long as there is room. A sentence that is too long is cut between words. `…` stands
 * where something was left out.
 */

interface Place {
  readonly at: number;
  readonly end: number;
}

const opening = "… ";
const closing = " …";
/** What stands around the sentence that is quoted is added to it up to this share of the room. */
const briefShare = 2 / 3;
/** A word that is longer is cut anywhere: mostly it is a text without blanks. */
const longestWord = 40;
/** What ends a line or a sentence, with the blanks behind it; before a small letter a dot is that of an abbreviation. */
const sentenceEnd = new RegExp(
  `\\n|[${sentenceStops}]["'”’»)\\]*_\`]*(?: +(?!\\p{Ll})|(?=\\n))|[。！？]["'”’」』）】》]*`,
  "gu",
);

/** At most `length` code points of a text around a place in it. */
export function excerptAround(text: string, { at, end }: Place, length: number): string {
  // Runs of blanks become one: twice the room on each side is enough to fill it in any ordinary text.
  const reach = 2 * length;
  const [from, to] = [Math.max(0, at - reach), Math.min(text.length, end + reach)];
  const before = evenBlanks(from === 0 ? text.slice(0, at) : withoutFirstWord(text.slice(from, at)));
  const core = evenBlanks(text.slice(at, end));
  const after = evenBlanks(to === text.length ? text.slice(end) : withoutLastWord(text.slice(end, to)));
  const around = before + core + after;
  const room = length - opening.length - closing.length;
  const shown = withoutHalves(core.slice(0, room));
  const place = { at: before.length, end: before.length + shown.length };
  const [start, stop] = bounds(around, place, room);
  const isFromStart = from === 0 && around.slice(0, start).trim() === "";
  const isToEnd = to === text.length && around.slice(stop).trim() === "";
  const quoted = around.slice(start, stop).replace(/\s+/g, " ").trim();
  const breaksOff = /[\p{L}\p{M}\p{N},;:]$/u.test(quoted);
  return `${isFromStart ? "" : opening}${quoted}${isToEnd ? "" : breaksOff ? closing.trim() : closing}`;
}

/** Where a quotation of at most `room` characters begins and ends. */
function bounds(text: string, { at, end }: Place, room: number): readonly [number, number] {
  const ends = [...text.matchAll(sentenceEnd)].map(({ 0: mark, index }) => index + mark.length);
  const before = [0, ...ends.filter((place) => place <= at)];
  const after = [...ends.filter((place) => place >= end), text.length];
  let start = before.pop() ?? 0;
  let stop = after.shift() ?? text.length;
  if (stop - start > room) {
    const spare = room - (end - at);
    const right = Math.min(stop - end, Math.max(Math.floor(spare / 2), spare - (at - start)));
    const left = Math.min(at - start, spare - right);
    return [wordAfter(text, start, at - left, at), wordBefore(text, stop, end + right, end)];
  }
  const brief = briefShare * room;
  for (const next of after) if (next - start <= brief) stop = next;
  for (const previous of before.reverse()) if (stop - previous <= brief) start = previous;
  return [start, stop];
}

/** The first place from `wanted` on where a word begins; `start` itself, where that is wanted. */
function wordAfter(text: string, start: number, wanted: number, latest: number): number {
  if (wanted <= start) return start;
  const blank = text.slice(wanted - 1, Math.min(latest, wanted + longestWord)).search(/\s/);
  if (blank >= 0) return wanted + blank;
  let place = wanted;
  while (place < latest && !isBetweenCharacters(text, place)) place += 1;
  return place;
}

/** The last place up to `wanted` where a word ends. */
function wordBefore(text: string, stop: number, wanted: number, earliest: number): number {
  if (wanted >= stop) return stop;
  const from = Math.max(earliest, wanted - longestWord);
  const blank = text.slice(from, wanted + 1).search(/\s\S*$/);
  if (blank >= 0) return from + blank;
  let place = wanted;
  while (place > earliest && !isBetweenCharacters(text, place)) place -= 1;
  return place;
}

function isBetweenCharacters(text: string, place: number): boolean {
  return (text.charCodeAt(place) & 0xfc00) !== 0xdc00 && cutAtGrapheme(text, place).length === place;
}

/** Blanks and empty lines are one each. */
function evenBlanks(text: string): string {
  return text.replace(/[^\S\n]+/g, " ").replace(/ ?\n\s*/g, "\n");
}

/** Of a piece that begins inside a word, the rest of that. */
function withoutFirstWord(piece: string): string {
  return withoutHalves(piece.replace(new RegExp(`^\\S{0,${longestWord}}(?=\\s)`), ""));
}

function withoutLastWord(piece: string): string {
  return withoutHalves(piece.replace(new RegExp(`(?<=\\s)\\S{0,${longestWord}}$`), ""));
}

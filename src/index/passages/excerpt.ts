import { withoutHalves } from "../../text/cut.ts";
import { cutAtGrapheme } from "../../text/grapheme-clusters.ts";
import { scriptPattern } from "../../text/script-pattern.ts";
import { sentenceStops } from "../../text/sentence-ends.ts";

/*
 * An excerpt of a text on one line: the sentences or lines that contain a place, then those after and before them, as
 * long as there is room. A sentence that is too long is cut between words. `…` marks omissions.
 */

interface Place {
  readonly at: number;
  readonly end: number;
}

const opening = "… ";
const closing = " …";
/** Further sentences are added as long as the excerpt fills no more than this share of the room. */
const briefShare = 2 / 3;
/** A longer word is cut between any two characters: mostly it is text without blanks. */
const longestWord = 40;
/**
 * The end of a line or a sentence, with the blanks after it. A stop before a small letter ends an abbreviation only.
 */
const sentenceEnd = scriptPattern(
  `\\n|[${sentenceStops}]["'”’»)\\]*_\`]*(?: +(?!\\p{Ll})|(?=\\n))|[。！？]["'”’」』）】》]*`,
  "g",
);
const insideSentence = scriptPattern(String.raw`[\p{L}\p{M}\p{N},;:]$`);

/** An excerpt of at most `length` UTF-16 units around a place in a text. */
export function excerptAround(text: string, { at, end }: Place, length: number): string {
  // Twice the length on each side, because runs of blanks will be collapsed.
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
  const breaksOff = insideSentence(quoted).test(quoted);
  return `${isFromStart ? "" : opening}${quoted}${isToEnd ? "" : breaksOff ? closing.trim() : closing}`;
}

/** The start and end of an excerpt of at most `room` characters around a place. */
function bounds(text: string, { at, end }: Place, room: number): readonly [number, number] {
  const ends = [...text.matchAll(sentenceEnd(text))].map(({ 0: mark, index }) => index + mark.length);
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

/**
 * The first place from `wanted` on, up to `latest`, where a word begins, or in a long word a character; `start` if
 * `wanted` is not after it.
 */
function wordAfter(text: string, start: number, wanted: number, latest: number): number {
  if (wanted <= start) return start;
  const blank = text.slice(wanted - 1, Math.min(latest, wanted + longestWord)).search(/\s/);
  if (blank >= 0) return wanted + blank;
  let place = wanted;
  while (place < latest && !isBetweenCharacters(text, place)) place += 1;
  return place;
}

/**
 * The last place up to `wanted`, down to `earliest`, where a word ends, or in a long word a character; `stop` if
 * `wanted` is not before it.
 */
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

/** Collapses runs of blanks, and runs of line breaks. */
function evenBlanks(text: string): string {
  return text.replace(/[^\S\n]+/g, " ").replace(/ ?\n\s*/g, "\n");
}

/** Removes the rest of the word in which a piece begins. */
function withoutFirstWord(piece: string): string {
  return withoutHalves(piece.replace(new RegExp(`^\\S{0,${longestWord}}(?=\\s)`), ""));
}

function withoutLastWord(piece: string): string {
  return withoutHalves(piece.replace(new RegExp(`(?<=\\s)\\S{0,${longestWord}}$`), ""));
}

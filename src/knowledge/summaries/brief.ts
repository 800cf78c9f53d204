import { countCodePoints } from "../../text/code-points.ts";
import { cutText, oneLine } from "../../text/cut.ts";
import { sentenceStops } from "../../text/sentence-stops.ts";
import { narrativeParts, partLabels } from "./narrative-parts.ts";

const longestItem = 100;
/** How a session ended tells most: it has so much of the room before the others take their shares. */
const shareOfEnd = 0.6;
const endOpening = `${partLabels.ended}: `;
/** How many errors there were stands before them. */
const errorCount = /^\d{1,9}, such as /u;
const ends = new RegExp(`[${sentenceStops}]$`, "u");
/** Staging is told by the commit that follows it. */
const staging = /^git add [^&;|]*&& (?=git commit\b)/u;

/** A list is cut between its items. */
interface Told {
  readonly opening: string;
  readonly items: readonly string[];
}

/**
 * A narrative by rules in few words: what was asked beyond what is said already, what was run, what went wrong and how
 * it ended, each cut so that all are heard. Files have a line of their own. Undefined for a narrative in other words.
 */
export function briefNarrative(
  narrative: string,
  said: readonly string[],
  maxLength: number,
): string | undefined {
  const parts = narrativeParts(narrative);
  if (parts.size === 0) return undefined;
  const ended = parts.get("ended");
  const [count = ""] = errorCount.exec(parts.get("errors") ?? "") ?? [];
  const told: readonly Told[] = [
    {
      opening: `${partLabels.asked}: `,
      items: inShort(parts.get("asked")).filter((item) => !isSaid(item, said)),
    },
    {
      opening: `${partLabels.ran}: `,
      items: inShort(parts.get("ran")).map((item) => item.replace(staging, "")),
    },
    { opening: `${partLabels.errors}: ${count}`, items: itemsOf(parts.get("errors")?.slice(count.length)) },
    { opening: endOpening, items: ended === undefined || isSaid(ended, said) ? [] : [ended] },
  ].filter(({ items }) => items.length > 0);
  const texts = told.map(({ opening, items }) => sentence(opening, items));
  const room = maxLength - Math.max(0, told.length - 1);
  const rooms = roomsBeforeEnd(texts.map(countCodePoints), room, told.at(-1)?.opening === endOpening);
  return told.map((one, at) => written(one, rooms[at] ?? 0)).join(" ");
}

/** As many of the items as there is room for, in their order. */
function written({ opening, items }: Told, room: number): string {
  const taken: string[] = [];
  for (const item of items)
    if (countCodePoints(sentence(opening, [...taken, item])) <= room) taken.push(item);
  return cutText(sentence(opening, taken.length === 0 ? items.slice(0, 1) : taken), room);
}

function sentence(opening: string, items: readonly string[]): string {
  const text = `${opening}${items.join("; ")}`;
  return ends.test(text) ? text : `${text}.`;
}

function inShort(list: string | undefined): string[] {
  return itemsOf(list).map((item) => oneLine(item, longestItem));
}

/** Without full stops; dots in a row belong to what they end, such as `go test ./...`. */
function itemsOf(list: string | undefined): string[] {
  return list === undefined ? [] : list.split("; ").map((item) => item.replace(/(?<!\.)\.$/u, ""));
}

function isSaid(item: string, said: readonly string[]): boolean {
  const bare = bareText(item);
  return said.some((text) => text.startsWith(bare) || bare.startsWith(bareText(text)));
}

function bareText(text: string): string {
  return text.replace(/[\s.…:;,!?]+$/u, "");
}

/** Fair rooms, of which the last text, where it is the end, gets more if it needs more. */
function roomsBeforeEnd(lengths: readonly number[], room: number, hasEnd: boolean): number[] {
  const rooms = fairRooms(lengths, room);
  const length = lengths.at(-1);
  if (!hasEnd || length === undefined) return rooms;
  const atEnd = Math.max(rooms.at(-1) ?? 0, Math.min(length, Math.floor(room * shareOfEnd)));
  return [...fairRooms(lengths.slice(0, -1), room - atEnd), atEnd];
}

/** How much of a room each text gets: the short ones all that they need, the others the same. */
function fairRooms(lengths: readonly number[], room: number): number[] {
  const rooms = lengths.map(() => 0);
  const shortestFirst = lengths.map((length, at) => ({ length, at })).sort((a, b) => a.length - b.length);
  let left = room;
  for (const [taken, { length, at }] of shortestFirst.entries()) {
    const given = Math.min(length, Math.floor(left / (lengths.length - taken)));
    rooms[at] = given;
    left -= given;
  }
  return rooms;
}

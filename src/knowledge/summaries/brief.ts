import { exitMarkOf } from "../../capture/observations/commands/exit-mark.ts";
import { countCodePoints } from "../../text/code-points.ts";
import { cutText, oneLine } from "../../text/cut.ts";
import { sentenceStops } from "../../text/sentence-ends.ts";
import {
  commitsAndCommands,
  itemsOfPart,
  narrativeParts,
  overcomeMark,
  partLabels,
} from "./narrative-parts.ts";

const longestItem = 100;
/**
 * The end of a session is the most telling: it may take this share of the room before the other parts share
 * the rest.
 */
const shareOfEnd = 0.6;
const endOpening = `${partLabels.ended}: `;
/** The number of errors precedes the list of them. */
const errorCount = /^\d{1,9}, such as /u;
const ends = new RegExp(`[${sentenceStops}]$`, "u");

/** A part of the text; a list is shortened by whole items. */
interface Told {
  readonly opening: string;
  readonly items: readonly string[];
}

/**
 * Shortens a narrative that was made by rules: what was asked (unless `said` says it already), what was run,
 * errors and the end, each cut so that all have room. Files and commits are shown elsewhere. Undefined for a narrative
 * that was not made by rules.
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
      items: inShort(itemsOfPart(parts.get("asked"))).filter((item) => !isSaid(item, said)),
    },
    {
      opening: `${partLabels.ran}: `,
      items: inShort(commitsAndCommands(parts.get("ran")).commands),
    },
    {
      opening: `${partLabels.errors}: ${count}`,
      items: itemsOfPart(parts.get("errors")?.slice(count.length)),
    },
    { opening: endOpening, items: ended === undefined || isSaid(ended, said) ? [] : [ended] },
  ].filter(({ items }) => items.length > 0);
  const texts = told.map(({ opening, items }) => sentence(opening, items));
  const room = maxLength - Math.max(0, told.length - 1);
  const rooms = roomsBeforeEnd(texts.map(countCodePoints), room, told.at(-1)?.opening === endOpening);
  return told.map((one, at) => written(one, rooms[at] ?? 0)).join(" ");
}

/** As many of the items as fit, in their order. */
function written({ opening, items }: Told, room: number): string {
  const taken: string[] = [];
  for (const item of items)
    if (countCodePoints(sentence(opening, [...taken, item])) <= room) taken.push(item);
  const [first = ""] = items;
  return taken.length === 0 ? cutBeforeMark(opening, first, room) : sentence(opening, taken);
}

/** An item cut to the room, with the mark at its end, such as that an error was followed by a success. */
function cutBeforeMark(opening: string, item: string, room: number): string {
  const mark = item.endsWith(overcomeMark) ? overcomeMark : exitMarkOf(item);
  const start = `${opening}${item.slice(0, item.length - mark.length)}`;
  const left = room - countCodePoints(mark) - 1;
  return mark === "" || left <= countCodePoints(opening)
    ? cutText(sentence(opening, [item]), room)
    : `${cutText(start, left)}${mark}.`;
}

function sentence(opening: string, items: readonly string[]): string {
  const text = `${opening}${items.join("; ")}`;
  return ends.test(text) ? text : `${text}.`;
}

function inShort(items: readonly string[]): string[] {
  return items.map((item) => oneLine(item, longestItem));
}

function isSaid(item: string, said: readonly string[]): boolean {
  const bare = bareText(item);
  return said.some((text) => text.startsWith(bare) || bare.startsWith(bareText(text)));
}

function bareText(text: string): string {
  return text.replace(/[\s.…:;,!?]+$/u, "");
}

/** Shares the room fairly, but gives the last text more if it is the end and needs more. */
function roomsBeforeEnd(lengths: readonly number[], room: number, hasEnd: boolean): number[] {
  const rooms = fairRooms(lengths, room);
  const length = lengths.at(-1);
  if (!hasEnd || length === undefined) return rooms;
  const atEnd = Math.max(rooms.at(-1) ?? 0, Math.min(length, Math.floor(room * shareOfEnd)));
  return [...fairRooms(lengths.slice(0, -1), room - atEnd), atEnd];
}

/** Shares the room: short texts get all they need, the others equal parts. */
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

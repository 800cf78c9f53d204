import { lengthOf } from "../../capture/observations/cut.ts";
import type { BlockItem, BlockPart } from "./block.ts";

/** Stands for the lines before those that are shown. */
const others = "> …\n";

/**
 * A section without room for all of what grows line by line, such as what is left to do: what found no place is cut to
 * its last lines, within what the section's share leaves. A text without room for one of its lines stays left out.
 */
export function cutToLastLines(part: BlockPart, taken: ReadonlySet<number>, room: number): BlockPart {
  const leftOut = part.items.filter(({ quoted }, position) => quoted !== undefined && !taken.has(position));
  if (leftOut.length === 0) return part;
  const used = part.items
    .filter((_, position) => taken.has(position))
    .reduce((sum, { text }) => sum + lengthOf(text), lengthOf(part.heading));
  const roomEach = Math.floor((Math.floor(part.share * room) - used) / leftOut.length);
  return {
    ...part,
    items: part.items.map((item) => (leftOut.includes(item) ? lastLines(item, roomEach) : item)),
  };
}

function lastLines(item: BlockItem, room: number): BlockItem {
  const { opening = "", quoted = [] } = item;
  let left = room - lengthOf(opening) - lengthOf(others);
  let from = quoted.length;
  for (; from > 0; from -= 1) {
    left -= lengthOf(quoted[from - 1] ?? "");
    if (left < 0) break;
  }
  const shown = quoted.slice(from);
  return shown.length === 0 ? item : { ...item, text: `${opening}${others}${shown.join("")}`, isCut: true };
}

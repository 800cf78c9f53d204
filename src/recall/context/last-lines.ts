import { countCodePoints } from "../../text/code-points.ts";
import { compareTexts } from "../../text/compare-texts.ts";
import type { BlockItem, BlockPart } from "./block.ts";

/** Stands for the lines before those that are shown. */
const others = "> …\n";

/**
 * Cuts texts of a section that grow at their end, such as a list of open items, and that do not fit: their last lines
 * are shown, within the rest of the section's share. The text that grew last gets room first. A text of which not even
 * one line fits stays left out.
 */
export function cutToLastLines(part: BlockPart, taken: ReadonlySet<number>, room: number): BlockPart {
  const used = part.items
    .filter((_, position) => taken.has(position))
    .reduce((sum, { text }) => sum + countCodePoints(text), countCodePoints(part.heading));
  let left = Math.floor(part.share * room) - used;
  const cut = new Map<BlockItem, BlockItem>();
  const leftOut = part.items.filter((_, position) => !taken.has(position));
  const grownAt = ({ growing }: BlockItem) => growing?.grownAt ?? "";
  for (const item of leftOut.sort((a, b) => compareTexts(grownAt(b), grownAt(a)))) {
    const shorter = lastLines(item, left);
    if (shorter === undefined) continue;
    cut.set(item, shorter);
    left -= countCodePoints(shorter.text);
  }
  return { ...part, items: part.items.map((item) => cut.get(item) ?? item) };
}

function lastLines({ growing, ...item }: BlockItem, room: number): BlockItem | undefined {
  if (growing === undefined) return undefined;
  const { opening, lines } = growing;
  let left = room - countCodePoints(opening) - countCodePoints(others);
  let from = lines.length;
  for (; from > 0; from -= 1) {
    left -= countCodePoints(lines[from - 1] ?? "");
    if (left < 0) break;
  }
  if (from === lines.length) return undefined;
  return { ...item, text: `${opening}${others}${lines.slice(from).join("")}`, isCut: true };
}

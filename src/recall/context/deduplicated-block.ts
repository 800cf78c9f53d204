import { withoutSentenceEnd } from "../../text/sentence-ends.ts";
import { sentencesOf } from "../../text/sentences.ts";
import { type Block, type BlockSection, writeBlock } from "./block.ts";
import { safeLine } from "./safe-text.ts";
import type { SectionItem } from "./section.ts";

/**
 * Writes the block without items that only repeat what is said elsewhere in it, such as a preference that is also a
 * memory. When that does not fit, the shorter item stays.
 */
export function writeDeduplicatedBlock(
  project: string,
  sections: readonly BlockSection[],
  budgetTokens: number,
): Block {
  const repeated = sections.flatMap((section) =>
    section.items.filter((item) => isRepeated(item, section, sections)),
  );
  const block = writeBlock(project, without(sections, new Set(repeated)), budgetTokens);
  const told = repeated.filter((item) =>
    saidBy(item).every((said) => block.context.includes(safeLine(said))),
  );
  return told.length === repeated.length
    ? block
    : writeBlock(project, without(sections, new Set(told)), budgetTokens);
}

function without(sections: readonly BlockSection[], items: ReadonlySet<SectionItem>): BlockSection[] {
  return sections.map((section) => ({
    ...section,
    items: withinLimits(section.items.filter((item) => !items.has(item))),
  }));
}

function withinLimits(items: readonly SectionItem[]): SectionItem[] {
  let limited = 0;
  return items.filter(({ most }) => {
    if (most === undefined) return true;
    limited += 1;
    return limited <= most;
  });
}

/**
 * Whether the lines of a memory, or for an item that knows what it says those of an item of any other section, contain
 * all of it.
 */
function isRepeated(item: SectionItem, section: BlockSection, sections: readonly BlockSection[]): boolean {
  const [only, ...more] = item.lines;
  if (only === undefined || more.length > 0) return false;
  const isTelling = only.says !== undefined;
  if (item.memoryId !== undefined && !isTelling) return false;
  const said = saidBy(item);
  const contains = ({ lines, spare = [] }: SectionItem) =>
    said.every((sentence) => [lines, ...spare].flat().some(({ text }) => text.includes(sentence)));
  return sections.some((other) =>
    other === section
      ? item.memoryId === undefined && other.items.some((one) => one.memoryId !== undefined && contains(one))
      : other.items.some((one) => (one.memoryId !== undefined || isTelling) && contains(one)),
  );
}

/** What an item of one line says, without the mark of a cut; where it knows that, its sentences. */
function saidBy({ lines: [only] }: SectionItem): string[] {
  if (only?.says !== undefined) return [...sentencesOf(only.says)].map(withoutSentenceEnd);
  return [(only?.text ?? "").replace(/…$/u, "")];
}

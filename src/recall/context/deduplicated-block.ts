import { type Block, type BlockSection, writeBlock } from "./block.ts";
import { safeLine } from "./safe-text.ts";
import type { SectionItem } from "./section.ts";

/**
 * Writes the block without items that only repeat a line elsewhere in it, such as a preference that is also a memory.
 * When that line does not fit, the shorter item stays.
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
  const told = repeated.filter((item) => block.context.includes(safeLine(saidBy(item))));
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

/** Whether a line of a memory, or for an item that knows what it says one of any other section, contains all of it. */
function isRepeated(item: SectionItem, section: BlockSection, sections: readonly BlockSection[]): boolean {
  const [only, ...more] = item.lines;
  if (only === undefined || more.length > 0 || item.memoryId !== undefined) return false;
  const said = saidBy(item);
  return sections.some((other) =>
    other.items.some(
      ({ lines, memoryId }) =>
        (memoryId !== undefined || (only.says !== undefined && other !== section)) &&
        lines.some(({ text }) => text.includes(said)),
    ),
  );
}

/** What an item of one line says, without the mark of a cut. */
function saidBy({ lines: [only] }: SectionItem): string {
  return (only?.says ?? only?.text ?? "").replace(/…$/u, "");
}

import { type Block, type BlockSection, writeBlock } from "./block.ts";
import type { Line, SectionItem } from "./section.ts";

/**
 * Writes the block without items that only repeat a memory in it, such as a preference that is also among the
 * conventions of the profile. When the memory does not fit, the shorter item stays.
 */
export function writeDeduplicatedBlock(
  project: string,
  offered: readonly BlockSection[],
  budgetTokens: number,
): Block {
  const sections = offered.map((section) => withoutSpareRepeats(section, offered));
  const memories = sections.flatMap(({ items }) => items.filter(({ memoryId }) => memoryId !== undefined));
  const saidBy = new Map(
    sections.flatMap(({ items }) =>
      items.flatMap((item) => {
        const memory = memories.find((one) => one !== item && repeats(item, one));
        return memory?.memoryId === undefined ? [] : [[item, memory.memoryId] as const];
      }),
    ),
  );
  const block = writeBlock(project, without(sections, new Set(saidBy.keys())), budgetTokens);
  const shown = new Set(block.memoryIds);
  const repeated = [...saidBy].flatMap(([item, memoryId]) => (shown.has(memoryId) ? [item] : []));
  return repeated.length === saidBy.size
    ? block
    : writeBlock(project, without(sections, new Set(repeated)), budgetTokens);
}

function without(sections: readonly BlockSection[], items: ReadonlySet<SectionItem>): BlockSection[] {
  return sections.map((section) => ({
    ...section,
    items: section.items.filter((item) => !items.has(item)),
  }));
}

/** Leaves out spare lines that only repeat a line of another section. */
function withoutSpareRepeats(section: BlockSection, sections: readonly BlockSection[]): BlockSection {
  const others = sections.flatMap((other) =>
    other === section ? [] : other.items.flatMap(({ lines }) => lines),
  );
  const isSaid = ({ says }: Line): boolean =>
    says !== undefined && others.some(({ text }) => text.includes(says));
  const items = section.items.map(({ spare, ...item }) =>
    spare === undefined
      ? item
      : {
          ...item,
          spare: spare.map((lines) => lines.filter((line) => !isSaid(line))).filter((l) => l.length > 0),
        },
  );
  return { ...section, items };
}

/** Whether the line of a memory contains everything that an item says, even if the item is cut. */
function repeats({ lines, memoryId }: SectionItem, memory: SectionItem): boolean {
  const [only, ...more] = lines;
  if (only === undefined || more.length > 0 || memoryId !== undefined) return false;
  return memory.lines.some(({ text }) => text.includes(only.text.replace(/…$/u, "")));
}

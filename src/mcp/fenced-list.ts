import { fence } from "../recall/context/block.ts";
import { safeLine } from "../recall/context/safe-text.ts";

/** Stored texts as points of a list, each on one safe line. */
export function listed(lines: readonly string[]): string[] {
  return lines.map((line) => `- ${safeLine(line)}`);
}

/** The lines of a section below its heading; none if there are no lines. */
export function section(heading: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`## ${heading}\n${lines.join("\n")}`];
}

/**
 * Stored text is data: its lines were made safe (`safeLine`), so that they can neither close the fence nor open a
 * section.
 */
export function fenced(project: string | undefined, lines: readonly string[]): string {
  const { open, close } = fence("memsvc-context", project);
  return `${open}\n${lines.join("\n")}\n${close}`;
}

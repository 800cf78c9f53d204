import { existsSync } from "node:fs";
import { basename, isAbsolute } from "node:path";
import { quoteWord } from "../../text/quote-word.ts";

interface PlacedProject {
  readonly project: string;
  readonly folders: readonly string[];
}

export interface ProbableMove {
  readonly from: string;
  readonly to: string;
}

/** A project whose folder is gone, and has the name of the given folder: it may have been moved there. */
export function moveTo(to: string, projects: readonly PlacedProject[]): ProbableMove | undefined {
  if (!isAbsolute(to) || !existsSync(to)) return undefined;
  const gone = projects.find(
    ({ project, folders }) =>
      isAbsolute(project) && basename(project) === basename(to) && ![project, ...folders].some(existsSync),
  );
  return gone && { from: gone.project, to };
}

/** The same for all of these projects. */
export function probableMoves(projects: readonly PlacedProject[]): ProbableMove[] {
  return projects.flatMap(({ project }) => moveTo(project, projects) ?? []);
}

export function moveHint({ from, to }: ProbableMove): string {
  return `if it was moved to ${to}: memsvc project move ${quoteWord(from)} ${quoteWord(to)}`;
}

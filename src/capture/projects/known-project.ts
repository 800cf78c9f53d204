import { basename } from "node:path";
import { didYouMean } from "../../text/similar-names.ts";

interface ListedProject {
  readonly project: string;
  readonly folders: readonly string[];
  readonly names: readonly string[];
}

/**
 * Looks for a project by its name, or by the path of its folder, among listed ones. `meant` is a hint at those whose
 * name is similar, if it is none of them.
 */
export function findKnownProject(
  named: string,
  projects: readonly ListedProject[],
): { readonly isKnown: boolean; readonly meant?: string | undefined } {
  const places = projects.flatMap(({ project, folders, names }) => [project, ...folders, ...names]);
  const known = named.includes("/") ? places : places.map((place) => basename(place));
  return known.includes(named) ? { isKnown: true } : { isKnown: false, meant: didYouMean(named, known) };
}

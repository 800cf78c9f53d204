import { basename } from "node:path";
import { folderPrefix, isAbsolute, withDriveFirst } from "../../paths/path-text.ts";
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
  const isPath = isAbsolute(named);
  const known = isPath || named.includes("/") ? places : places.map((place) => basename(place));
  const wanted = isPath ? folderPrefix(withDriveFirst(named)).slice(0, -1) : named;
  return known.includes(wanted) ? { isKnown: true } : { isKnown: false, meant: didYouMean(wanted, known) };
}

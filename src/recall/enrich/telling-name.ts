import { lastSegment } from "../../paths/path-text.ts";
import { comparablePath } from "./same-file.ts";

/** Names that every other package or folder has. What such a file is about, its folder tells. */
const commonNames = new Set(
  "index main mod lib init __init__ __main__ app readme package setup default util utils helper helpers common misc types".split(
    " ",
  ),
);
/** Folders that say as little. */
const commonFolders = new Set([
  ...commonNames,
  ..."src source sources libs apps packages pkg cmd internal dist build out target bin test tests spec specs __tests__ docs vendor node_modules java kotlin python".split(
    " ",
  ),
]);
const signOfTest = /^(?:test|spec)[-_](?=.)|(?<=.)[-_](?:test|tests|spec)$/i;

/**
 * The name by which texts speak of a file: without its ending and what follows a dot (`discount.test.ts`,
 * `vitest.config.ts`), and for a test, of what it tests; if it says nothing, the nearest folder's below `root`, the
 * project's folder, that says something, which one of the project's own name does not. Undefined if none does.
 */
export function tellingName(file: string, root: string | undefined): string | undefined {
  const segments = comparablePath(file, root).split("/");
  const name = /^\.?[^.]+/.exec(segments.pop() ?? "")?.[0].replace(signOfTest, "");
  if (name !== undefined && !commonNames.has(name.toLowerCase())) return name;
  // Above a full path's nearest folder may be anything.
  const folders = segments[0] === "" ? segments.slice(-1) : segments;
  const project = root === undefined ? undefined : lastSegment(root);
  return folders.findLast(
    (folder) => folder !== "" && folder !== project && !commonFolders.has(folder.toLowerCase()),
  );
}

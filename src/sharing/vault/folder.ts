import { lstatSync, mkdirSync, type Stats } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import type { Ground } from "../../ground.ts";
import { MemsvcError } from "../../operation/errors.ts";
import { confinedPath } from "../../paths/confined.ts";
import { expandHome } from "../../paths/expand-home.ts";
import { makeFolder } from "../../paths/make-folder.ts";
import { statIfExists } from "../../paths/stat-if-exists.ts";
import { refusalOf } from "../../paths/system-refusal.ts";
import type { DryRun } from "../../store/store.ts";
import { quoteWord } from "../../text/quote-word.ts";

/** The hint for what the operating system refuses. */
export const writeAccessHint = "let memsvc write there, or choose another vaultDir";

/**
 * The folder for a vault. It is created if its parent exists, except in a dry run. A relative path is below
 * `<home>/vault`. `isChosenByOperator`: the path comes from a setting, which may name any folder. Errors:
 * forbidden, not_found; invalid_input for a path that is no folder.
 */
export function openVaultFolder(
  ground: Pick<Ground, "home" | "settings">,
  given: string,
  { isChosenByOperator = false, dryRun = false }: DryRun & { readonly isChosenByOperator?: boolean },
): string {
  const { home, settings } = ground;
  const isRelative = !isAbsolute(expandHome(given));
  const ownPlace = join(home, "vault");
  if (isRelative && !dryRun) makeFolder(ownPlace);
  const roots = isRelative ? [ownPlace] : settings.allowedRoots;
  const path = confinedPath(given, "write", {
    roots: isChosenByOperator && !isRelative ? [dirname(resolve(expandHome(given)))] : roots,
    cwd: ownPlace,
    home,
  });
  const found = statIfExists(path);
  if (found?.isDirectory() === true) return path;
  if (found !== undefined) throw noFolder(given);
  // A dry run does not create `<home>/vault`, which may be missing, but the export would.
  const isDirectlyInOwnPlace = isRelative && !relative(ownPlace, resolve(ownPlace, given)).includes(sep);
  if (!isDirectlyInOwnPlace && statIfExists(dirname(path))?.isDirectory() !== true) {
    throw new MemsvcError("not_found", `the parent folder of ${given} does not exist`, {
      hint: `make it first: mkdir -p ${quoteWord(dirname(path))}`,
    });
  }
  if (!dryRun) makeSingle(path);
  return path;
}

function noFolder(given: string): MemsvcError {
  return new MemsvcError("invalid_input", `${given} is not a folder`, {
    issues: [{ path: "vaultDir", message: "must name a folder" }],
  });
}

/**
 * A folder inside the vault's, created if missing, except in a dry run. Error: forbidden when something else
 * has its name, or the system refuses.
 */
export function openSubfolder(parent: string, name: string, { dryRun = false }: DryRun = {}): string {
  const path = join(parent, name);
  const found = foundAt(path);
  if (found === undefined) {
    if (!dryRun) makeSingle(path);
  } else if (!found.isDirectory()) {
    throw new MemsvcError("forbidden", `${path} is not a plain folder, and nothing is written through it`, {
      hint: "remove it, or choose another vaultDir",
    });
  }
  return path;
}

function foundAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    throw refusalOf(error, `${path} could not be looked at`, writeAccessHint);
  }
}

function makeSingle(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    throw refusalOf(error, `${path} could not be made`, writeAccessHint);
  }
}

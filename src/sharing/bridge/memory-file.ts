import { existsSync, lstatSync, realpathSync, type Stats } from "node:fs";
import { stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Settings } from "../../config/load.ts";
import { MemsvcError } from "../../operation/errors.ts";
import { expandHome } from "../../paths/expand-home.ts";
import { readUtf8 } from "../../paths/read-utf8.ts";
import { unlessRefused } from "../../paths/system-refusal.ts";
import { isMissing } from "../../system/error-code.ts";

const mostBytes = 10 * 1024 * 1024;

/** The path of the memory file that the settings name; undefined when they name none. */
export function memoryFilePath(
  { bridgeFile, bridgeProjectPath }: Pick<Settings, "bridgeFile" | "bridgeProjectPath">,
  userHome: string,
): string | undefined {
  if (bridgeFile !== undefined) return resolve(expandHome(bridgeFile, userHome));
  if (bridgeProjectPath === undefined) return undefined;
  const project = resolve(expandHome(bridgeProjectPath, userHome));
  // The agent names its folder for a project in this way.
  const folder = project.replace(/[^A-Za-z0-9]/gu, "-");
  return join(userHome, ".claude", "projects", folder, "memory", "MEMORY.md");
}

/** Runs `work` on the memory file. Error: forbidden when the operating system refuses access. */
export function withFile<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  return unlessRefused(path, "let memsvc write there, or name another file with MEMSVC_BRIDGE_FILE", work);
}

/**
 * The path with links resolved: renaming a file onto a link would replace the link. Error: forbidden for a
 * link whose target does not exist.
 */
export function realFile(path: string): string {
  if (existsSync(path)) return realpathSync(path);
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return path;
  throw new MemsvcError("forbidden", `${path} is a broken link`, {
    hint: "make the file that it leads to, or remove the link",
  });
}

/** The text of a memory file; undefined when there is none. Errors: invalid_input, too_large. */
export async function readMemoryFile(path: string): Promise<string | undefined> {
  const found = await statUnlessMissing(path);
  if (found === undefined) return undefined;
  if (!found.isFile()) {
    throw new MemsvcError("invalid_input", `${path} is not a file`, {
      hint: "name the memory file with MEMSVC_BRIDGE_FILE",
    });
  }
  if (found.size > mostBytes) {
    throw new MemsvcError("too_large", `${path} is larger than 10 MiB`, {
      hint: "shorten it, or name another file with MEMSVC_BRIDGE_FILE",
    });
  }
  return readUtf8(path);
}

/**
 * Returns undefined when the file does not exist. A path whose parent is a file must stay an error (ENOTDIR);
 * newer versions of `throwIfNoEntry` would hide it.
 */
async function statUnlessMissing(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

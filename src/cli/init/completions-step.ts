import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { folderFrom, xdgConfig } from "../../paths/application-data.ts";
import { writeDurably } from "../../paths/durable-file.ts";
import { isOrdinaryFile } from "../../paths/is-ordinary-file.ts";
import { isReadable } from "../../paths/is-readable.ts";
import { makeFolder, openFolderMode } from "../../paths/make-folder.ts";
import type { Places } from "../connect/places.ts";
import { completionScript } from "../shell/completion-scripts.ts";
import type { Questions } from "./questions.ts";

/**
 * Where completions for the user's shell would be written; undefined if they are there already, if another program's
 * file is, or if the shell has no such place.
 */
export function missingCompletions(places: Places): string | undefined {
  const shell = shellOf(places);
  const path = placeOf(shell, places);
  const script = completionScript(shell);
  if (path === undefined || script === undefined) return undefined;
  return !existsSync(path) || isOlder(path, script) ? path : undefined;
}

/** Whether a file is this script as an older version wrote it, which nothing else would replace. */
function isOlder(path: string, script: string): boolean {
  if (!isOrdinaryFile(path) || !isReadable(path)) return false;
  const text = readFileSync(path, "utf8");
  return text !== script && text.split("\n", 1)[0] === script.split("\n", 1)[0];
}

/**
 * Installs completions where the user's shell finds them by itself; returns the path, or undefined if nothing was
 * installed.
 */
export async function installCompletions(places: Places, questions: Questions): Promise<string | undefined> {
  const shell = shellOf(places);
  const path = missingCompletions(places);
  const script = completionScript(shell);
  if (path === undefined || script === undefined) return undefined;
  if (!(await questions.confirm(`Install completions for ${shell}?`, true))) return undefined;
  makeFolder(dirname(path), openFolderMode);
  await writeDurably(path, script, 0o644);
  return path;
}

function shellOf({ env }: Places): string {
  return basename(env.SHELL ?? "");
}

/** zsh has no standard user folder for completions: every user configures its search path differently. */
function placeOf(shell: string, places: Places): string | undefined {
  if (shell === "fish") return join(xdgConfig(places), "fish", "completions", "memsvc.fish");
  if (shell !== "bash") return undefined;
  return join(
    folderFrom(places, "XDG_DATA_HOME", ".local", "share"),
    "bash-completion",
    "completions",
    "memsvc",
  );
}

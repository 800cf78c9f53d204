import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { writeDurably } from "../../paths/durable-file.ts";
import { makeFolder, openFolderMode } from "../../paths/make-folder.ts";
import { folderFrom, type Places, xdgConfig } from "../connect/places.ts";
import { completionScript } from "../shell/completion-scripts.ts";
import type { Questions } from "./questions.ts";

/**
 * Where completions for the user's shell would be installed; undefined if they are there already or the shell has no
 * such place.
 */
export function missingCompletions(places: Places): string | undefined {
  const path = placeOf(shellOf(places), places);
  return path === undefined || existsSync(path) ? undefined : path;
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

import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { writeDurably } from "../../paths/durable-file.ts";
import { makeFolder, openFolderMode } from "../../paths/make-folder.ts";
import { packageFolder } from "../../store/migrations.ts";
import { folderFrom, type Places, xdgConfig } from "../connect/places.ts";
import type { Questions } from "./questions.ts";

/**
 * Where completions for the user's shell would be installed; undefined if they are there already or the shell has no
 * such place.
 */
export function missingCompletions(places: Places): string | undefined {
  return missing(places)?.path;
}

/**
 * Installs completions where the user's shell finds them by itself; returns the path, or undefined if nothing was
 * installed.
 */
export async function installCompletions(places: Places, questions: Questions): Promise<string | undefined> {
  const target = missing(places);
  if (target === undefined) return undefined;
  if (!(await questions.confirm(`Install completions for ${shellOf(places)}?`, true))) return undefined;
  makeFolder(dirname(target.path), openFolderMode);
  await writeDurably(target.path, readFileSync(join(packageFolder(), "completions", target.script)), 0o644);
  return target.path;
}

function missing(places: Places): Target | undefined {
  const target = targetOf(shellOf(places), places);
  return target === undefined || existsSync(target.path) ? undefined : target;
}

function shellOf({ env }: Places): string {
  return basename(env.SHELL ?? "");
}

interface Target {
  readonly path: string;
  readonly script: string;
}

/** zsh has no standard user folder for completions: every user configures its search path differently. */
function targetOf(shell: string, places: Places): Target | undefined {
  if (shell === "bash") {
    const data = folderFrom(places, "XDG_DATA_HOME", ".local", "share");
    return { path: join(data, "bash-completion", "completions", "memsvc"), script: "memsvc.bash" };
  }
  if (shell !== "fish") return undefined;
  return { path: join(xdgConfig(places), "fish", "completions", "memsvc.fish"), script: "memsvc.fish" };
}

import { existsSync, readFileSync } from "node:fs";
import { delimiter, dirname, isAbsolute, join, resolve } from "node:path";
import { isOrdinaryFile } from "../../paths/is-ordinary-file.ts";
import { realPathIfExists } from "../../paths/real-path-if-exists.ts";
import type { Places } from "./places.ts";

/* What the names in a shell's PATH lead to. */

/** Whether `memsvc` in PATH is this installation. */
export function isOnPath(script: string, places: Places): boolean {
  const found = foundOnPath(starterName(places), places);
  if (found === undefined) return false;
  // npm's starter script on Windows is not a link, so there the name has to suffice.
  return places.platform === "win32" || found === realPathIfExists(script) || isStarterOf(script, found);
}

/** Whether a program is there that an entry names: by its path, or for the PATH of a shell. */
export function isThere(program: string, places: Places): boolean {
  return isAbsolute(program) ? existsSync(program) : foundOnPath(program, places) !== undefined;
}

export function starterName({ platform }: Places): string {
  return platform === "win32" ? "memsvc.cmd" : "memsvc";
}

/**
 * On Windows, hooks are run by PowerShell, Git Bash or cmd, as the agent likes. All of them start a program that is named
 * without quotes, which the path of Node usually needs.
 */
export function isNodeOnPath(runtime: string, places: Places): boolean {
  if (places.platform !== "win32") return false;
  const found = foundOnPath("node.exe", places);
  return found !== undefined && found === realPathIfExists(runtime);
}

function foundOnPath(name: string, { env }: Places): string | undefined {
  const folders = (env.PATH ?? "").split(delimiter).filter((folder) => !isOfOneRun(folder));
  // Shells pass over a folder of that name, too.
  const programs = folders.map((folder) => join(folder, name)).filter((path) => isOrdinaryFile(path));
  return programs.flatMap((path) => realPathIfExists(path) ?? [])[0];
}

/** npx and its like put such folders into the PATH of what they run; the agents' PATH does not contain them. */
function isOfOneRun(folder: string): boolean {
  return /[\\/]node_modules[\\/]\.bin[\\/]?$/u.test(folder);
}

/** Whether a program in PATH is the shell script by which pnpm starts a script, instead of a link. */
function isStarterOf(script: string, program: string): boolean {
  const text = readFileSync(program, "utf8");
  if (!text.startsWith("#!/bin/sh\n")) return false;
  const named = [...text.matchAll(/\$basedir(?:_abs)?"?\/'?([^"'\n]+)["']/gu)];
  const real = realPathIfExists(script);
  return named.some(([, path = ""]) => realPathIfExists(resolve(dirname(program), path)) === real);
}

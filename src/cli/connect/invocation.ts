import { realpathSync } from "node:fs";
import { delimiter, join } from "node:path";
import { packageFolder } from "../../store/migrations.ts";
import { runtimePath } from "../../system/runtime-path.ts";
import { quoteWord } from "../../text/quote-word.ts";
import type { Places } from "./places.ts";

/** How agents start memsvc. */
export interface Invocation {
  /** The program's name, or the absolute paths of Node and the script. */
  readonly program: readonly string[];
  /** The same for a shell, if it is to start the program by other words. */
  readonly shellProgram?: readonly string[];
  /** Flags that every command gets, such as `--home /data/memsvc`. */
  readonly flags: readonly string[];
}

/** Whether entries use the program's name, which a shell finds in PATH, or absolute paths. */
type ByName = "always" | "where found" | "never";

/**
 * Project settings are shared, so they use the name; programs started from a desktop do not have the PATH of shells, so
 * they need paths.
 */
export function namingFor(scope: "user" | "project", isDesktop: boolean): ByName {
  if (scope === "project") return "always";
  return isDesktop ? "never" : "where found";
}

/** How entries start this program. */
export function invocationOf(places: Places, byName: ByName, flags: readonly string[]): Invocation {
  if (byName === "always") return { program: ["memsvc"], flags };
  const script = scriptPath();
  const runtime = runtimePath();
  // PowerShell takes the bare name on Windows for that of a script, and usually may run none.
  if (byName === "where found" && isOnPath(script, places)) return { program: [starterName(places)], flags };
  const program = [runtime, script];
  return byName === "where found" && isNodeOnPath(runtime, places)
    ? { program, shellProgram: ["node", script], flags }
    : { program, flags };
}

/** A warning if the entries may not find this program later; undefined if they will. */
export function installationNote(places: Places, byName: ByName): string | undefined {
  const script = scriptPath();
  if (byName === "always")
    return isOnPath(script, places)
      ? undefined
      : "the entries start memsvc by its name: everybody who works on the project needs it in their PATH";
  return /[\\/]_npx[\\/]/u.test(script)
    ? "memsvc runs from the cache of npx, which may be cleared: install it (npm install -g), then connect again"
    : undefined;
}

/** Whether `memsvc` in PATH is this installation. */
function isOnPath(script: string, places: Places): boolean {
  const found = foundOnPath(starterName(places), places);
  // npm's starter script on Windows is not a link, so there the name has to suffice.
  return found !== undefined && (places.platform === "win32" || found === realPathOf(script));
}

function starterName({ platform }: Places): string {
  return platform === "win32" ? "memsvc.cmd" : "memsvc";
}

/**
 * On Windows, hooks are run by PowerShell, Git Bash or cmd, as the agent likes. All of them start a program that is named
 * without quotes, which the path of Node usually needs.
 */
function isNodeOnPath(runtime: string, places: Places): boolean {
  if (places.platform !== "win32") return false;
  const found = foundOnPath("node.exe", places);
  return found !== undefined && found === realPathOf(runtime);
}

function foundOnPath(name: string, { env }: Places): string | undefined {
  const folders = (env.PATH ?? "").split(delimiter);
  return folders.flatMap((folder) => realPathOf(join(folder, name)) ?? [])[0];
}

function scriptPath(): string {
  return join(packageFolder(), "dist", "main.cjs");
}

function realPathOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    // Most folders in PATH contain no such program.
    return undefined;
  }
}

/**
 * The shell command of a hook. `observe` comes first, because main.ts recognises it there before anything else is
 * loaded.
 */
export function hookCommand(agent: string, { program, shellProgram, flags }: Invocation): string {
  return [...(shellProgram ?? program), "observe", "--hook", agent, ...flags]
    .map((word) => quoteWord(withoutBackslashes(word)))
    .join(" ");
}

/** A path on Windows with slashes: not every shell there needs quotes around it. */
function withoutBackslashes(word: string): string {
  return process.platform === "win32" && /^[a-z]:\\/iu.test(word) ? word.replaceAll("\\", "/") : word;
}

/** The same for PowerShell, which runs a quoted path only after `&`. */
export function powershellCommand(agent: string, invocation: Invocation): string {
  const command = hookCommand(agent, invocation);
  return command.startsWith('"') ? `& ${command}` : command;
}

export function serverWords({ program, flags }: Invocation): readonly string[] {
  return [...program, "mcp", ...flags];
}

import { realpathSync } from "node:fs";
import { delimiter, join } from "node:path";
import { packageFolder } from "../../store/migrations.ts";
import { runtimePath } from "../../system/runtime-path.ts";
import { quoteWord } from "../../text/quote-word.ts";
import type { Places } from "./places.ts";

/** How agents start memsvc. */
export interface Invocation {
  /** `memsvc`, or the absolute paths of Node and the script. */
  readonly program: readonly string[];
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

/** The words that start this program. */
export function programWords(places: Places, byName: ByName): readonly string[] {
  if (byName === "always") return ["memsvc"];
  const script = scriptPath();
  if (byName === "where found" && isOnPath(script, places)) return ["memsvc"];
  return [runtimePath(), script];
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
function isOnPath(script: string, { env, platform }: Places): boolean {
  const name = platform === "win32" ? "memsvc.cmd" : "memsvc";
  const folders = (env.PATH ?? "").split(delimiter);
  const [first] = folders.flatMap((folder) => realPathOf(join(folder, name)) ?? []);
  // npm's starter script on Windows is not a link, so there the name has to suffice.
  return first !== undefined && (platform === "win32" || first === realPathOf(script));
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
export function hookCommand(agent: string, { program, flags }: Invocation): string {
  return [...program, "observe", "--hook", agent, ...flags].map(quoteWord).join(" ");
}

/** The same for PowerShell, which runs a quoted path only after `&`. */
export function powershellCommand(agent: string, invocation: Invocation): string {
  const command = hookCommand(agent, invocation);
  return command.startsWith('"') ? `& ${command}` : command;
}

export function serverWords({ program, flags }: Invocation): readonly string[] {
  return [...program, "mcp", ...flags];
}

import { runtimePath } from "../../system/runtime-path.ts";
import { quoteWord } from "../../text/quote-word.ts";
import { installedScript } from "../installed-script.ts";
import { isNodeOnPath, isOnPath, starterName } from "./on-path.ts";
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
  const script = installedScript();
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
  const script = installedScript();
  if (byName === "always")
    return isOnPath(script, places)
      ? undefined
      : "the entries start memsvc by its name: everybody who works on the project needs it in their PATH";
  const runner = cachedBy(script);
  return runner === undefined
    ? undefined
    : `memsvc runs from the cache of ${runner}, which may be cleared: install it (npm install -g), then connect again`;
}

/** The program that keeps an installation only for a while, by the folder that it keeps it in. */
function cachedBy(script: string): string | undefined {
  return Object.entries({
    npx: /[\\/]_npx[\\/]/u,
    "pnpm dlx": /[\\/]pnpm(?:-cache)?[\\/]dlx[\\/]/u,
    bunx: /[\\/]bunx-[^\\/]+[\\/]/u,
  }).find(([, folder]) => folder.test(script))?.[0];
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

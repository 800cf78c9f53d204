import { isAbsolute } from "node:path";

/*
 * The words of a command that an entry of ours starts, and what they say: which programs, and the store of which home.
 */

/** The words of a command as `hookCommand` writes it; what stands around it for a shell is left out. */
export function parseCommand(command: string): string[] {
  return [...command.matchAll(/"((?:[^"\\]|\\.)*)"|([^\s"&|;]+)/gu)].map(
    ([, quoted, plain]) => quoted?.replaceAll(/\\(["\\$`])/gu, "$1") ?? plain ?? "",
  );
}

/** The absolute paths that commands begin with: the program, and the script that it runs. */
export function programsOf(commands: readonly (readonly string[])[]): string[] {
  const started = commands.flatMap((words) =>
    words.slice(
      0,
      words.findIndex((word) => word === "observe" || word === "mcp"),
    ),
  );
  return [...new Set(started.filter((word) => isAbsolute(word)))];
}

/** The homes that commands name; undefined for one that leaves it to its surroundings. */
export function homesOf(commands: readonly (readonly string[])[]): (string | undefined)[] {
  return [
    ...new Set(
      commands.map((words) => {
        const at = words.indexOf("--home");
        return at < 0 ? undefined : words[at + 1];
      }),
    ),
  ];
}

import { isAbsolute, resolve } from "node:path";

/* Parses the commands of our entries: which programs they start, and for which home. */

/** The words of a command written by `hookCommand`; shell syntax around it is ignored. */
export function parseCommand(command: string): string[] {
  return [...command.matchAll(/"((?:[^"\\]|\\.)*)"|([^\s"&|;]+)/gu)].map(
    ([, quoted, plain]) => quoted?.replaceAll(/\\(["\\$`])/gu, "$1") ?? plain ?? "",
  );
}

/** What commands begin with: the absolute paths of a program and the script that it runs, or our program's name. */
export function programsOf(commands: readonly (readonly string[])[]): string[] {
  const started = commands.flatMap((words) =>
    words.slice(
      0,
      words.findIndex((word) => word === "observe" || word === "mcp"),
    ),
  );
  return [...new Set(started.filter((word) => isAbsolute(word) || /^memsvc(?:\.cmd)?$/u.test(word)))];
}

/** The homes that commands name; undefined for a command that leaves it to its environment. */
export function homesOf(commands: readonly (readonly string[])[]): (string | undefined)[] {
  return [
    ...new Set(
      commands.map((words) => {
        const at = words.indexOf("--home");
        const home = at < 0 ? undefined : words[at + 1];
        return home === undefined ? undefined : resolve(home);
      }),
    ),
  ];
}

import { isAbsolute } from "node:path";

/** The absolute paths that shell commands and a server's words begin with: the program, and the script that it runs. */
export function programsOf(commands: readonly string[], words: readonly string[]): string[] {
  const first = commands.flatMap((command) =>
    [
      ...command
        .split(" observe ", 1)
        .join("")
        .matchAll(/"((?:[^"\\]|\\.)*)"|([^\s"&]+)/gu),
    ].map(([, quoted, plain]) => quoted?.replaceAll(/\\(["\\$`])/gu, "$1") ?? plain ?? ""),
  );
  const server = words.slice(0, words.indexOf("mcp"));
  return [...new Set([...first, ...server].filter((word) => isAbsolute(word)))];
}

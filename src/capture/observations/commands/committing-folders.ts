import { resolve } from "node:path";
import { commandParts } from "./command-steps.ts";
import { isCommitting } from "./made-commits.ts";

/** A word that means itself to a shell: without variables, patterns and escapes. No path of another machine. */
const plainWord = String.raw`(?!["']?//)(?:"(?<double>[^"$\\\x60]+)"|'(?<single>[^'\\]+)'|(?<bare>[^\s"'$\\\x60*?~()<>&-][^\s"'$\\\x60*?()<>&]*))`;
const changing = new RegExp(String.raw`^[\s({]*cd\s+${plainWord}\s*$`, "u");
const elsewhere = new RegExp(String.raw`\bgit\s+-C\s+${plainWord}\s`, "u");

/**
 * The folders in which the steps of a command may make commits: where it changes to (`cd shop`), or what git is told
 * (`git -C shop commit`). Also the folder of the event, because some agents tell the one after the command.
 */
export function committingFolders(command: string, cwd: string): ReadonlySet<string> {
  const folders = new Set<string>();
  let current = cwd;
  for (const { text } of commandParts(command)) {
    current = below(current, changing.exec(text));
    if (isCommitting(text)) folders.add(below(current, elsewhere.exec(text))).add(cwd);
  }
  return folders;
}

function below(folder: string, found: RegExpExecArray | null): string {
  const { double, single, bare } = found?.groups ?? {};
  const named = double ?? single ?? bare;
  return named === undefined ? folder : resolve(folder, named);
}

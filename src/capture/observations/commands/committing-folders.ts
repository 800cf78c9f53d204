import { resolve } from "node:path";
import { inShell, outOfShell } from "../../../paths/shell-path.ts";
import { homeOfUser } from "../../../system/home-of-user.ts";
import { commandParts } from "./command-steps.ts";
import { isCommitting } from "./made-commits.ts";
import { foundWord, plainWord } from "./plain-word.ts";

const changing = new RegExp(String.raw`^[\s({]*cd\s+${plainWord}\s*$`, "u");
const assigned = new RegExp(String.raw`^\s*(?:export\s+)?(?<name>[A-Za-z_]\w*)=${plainWord}\s*$`, "u");
const elsewhere = new RegExp(String.raw`\bgit\s+-C\s+${plainWord}\s`, "u");

/**
 * The folders in which the steps of a command may make commits: where it changes to (`cd shop`), or what git is told
 * (`git -C shop commit`). Also the folder of the event, because some agents tell the one after the command. Of
 * variables those are known that the command sets (`SHOP=/srv/shop; cd "$SHOP"`), and those for the user's home, the
 * current folder and the one in which Claude Code was started.
 */
export function committingFolders(command: string, cwd: string): ReadonlySet<string> {
  const folders = new Set<string>();
  const home = inShell(homeOfUser());
  const variables = new Map([
    ["HOME", home],
    ["CLAUDE_PROJECT_DIR", inShell(cwd)],
  ]);
  let current = cwd;
  for (const { text: written } of commandParts(command)) {
    variables.set("PWD", inShell(current));
    const text = withValues(written, variables).replace(tilde, () => home);
    const set = assigned.exec(text);
    if (set?.groups?.name !== undefined) variables.set(set.groups.name, foundWord(set) ?? "");
    current = below(current, changing.exec(text));
    if (isCommitting(text)) folders.add(below(current, elsewhere.exec(text))).add(cwd);
  }
  return folders;
}

const tilde = /(?<=\s)~(?=[/\s]|$)/gu;

/** A variable that a shell replaces by its value, which it does not do in single quotes. */
const variable = /'[^']*'|\$(?:([A-Za-z_]\w*)|\{(\w+)\})/gu;

function withValues(text: string, values: ReadonlyMap<string, string>): string {
  return text.replace(
    variable,
    (found: string, name?: string, braced = "") => values.get(name ?? braced) ?? found,
  );
}

function below(folder: string, found: RegExpExecArray | null): string {
  const named = foundWord(found);
  return named === undefined ? folder : resolve(folder, outOfShell(named));
}

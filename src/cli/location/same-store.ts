import { quoteWord } from "../../text/quote-word.ts";
import type { CommandContext, GlobalFlags } from "../command.ts";
import { commandWords } from "../command-words.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { homeWithoutEnvironment, storeHome } from "./store-home.ts";

type StoreFlags = Pick<GlobalFlags, "home" | "url" | "secretFile">;

/** Commands that act on the home, whatever daemon `--url` names. */
const local = /^(?:daemon|serve|service|config|models|connect|disconnect|init)\b/u;
/** Commands without a store, or that agents call. */
const storeless = /^(?:demo|completions|mcp)\b/u;

/**
 * The message with the flags that named the store (`--home`, `--url`) in each command that it mentions: a user who
 * copies one means the same store.
 */
export function inSameStore(message: string, { home, url, secretFile }: StoreFlags): string {
  const ofHome = home === undefined || isUsualHome(home) ? "" : `--home ${quoteWord(home)} `;
  const ofDaemon = Object.entries({ url, "secret-file": secretFile })
    .map(([name, value]) => (value === undefined ? "" : `--${name} ${quoteWord(value)} `))
    .join("");
  if (`${ofHome}${ofDaemon}` === "" || message.includes(" --home ")) return message;
  const commands = commandWords().filter((words) => !storeless.test(words));
  const named = new RegExp(`(?<![\\w./-])memsvc (${commands.join("|")})(?![\\w-])`, "gu");
  return message.replace(
    named,
    (_, command: string) => `memsvc ${ofHome}${local.test(command) ? "" : ofDaemon}${command}`,
  );
}

/** Whether a command finds that home by itself. */
function isUsualHome(home: string): boolean {
  const { MEMSVC_HOME, MEMSVC_URL } = process.env;
  return !MEMSVC_URL?.trim() && storeHome({ home }) === homeWithoutEnvironment(MEMSVC_HOME);
}

/** A terminal on which also results, if they are memsvc's own words for people, name the store in commands. */
export function terminalOfStore({ terminal, globals }: CommandContext): Terminal {
  return globals.json
    ? terminal
    : { ...terminal, print: (text) => terminal.print(inSameStore(text, globals)) };
}

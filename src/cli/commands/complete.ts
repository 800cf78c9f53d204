import { existsSync } from "node:fs";
import { databaseFile } from "../../config/home.ts";
import type { CommandContext, CommandRun } from "../command.ts";
import { openContext } from "../command-context.ts";
import { usesExternalStore } from "../location/external-store.ts";
import { type StoredNames, storedNames } from "../names/stored-names.ts";
import { visibleRows } from "../names/visible-rows.ts";
import { printable } from "../render/text.ts";
import { quotedForBash, readBashLine } from "../shell/bash-line.ts";
import { completionOf, splitFlagValues, storeFlags } from "../shell/completion.ts";

/**
 * Prints one candidate per line. If something is broken, it prints nothing: no message may disturb the command line.
 */
export const run: CommandRun = async (context, [words], { bash }) => {
  const asWords = Array.isArray(words) ? words : [];
  const [line = "", replaced = ""] = asWords;
  const ofBash = bash === true ? readBashLine(line, replaced) : undefined;
  const written = ofBash?.words ?? asWords;
  const given = splitFlagValues(written);
  const completion = completionOf(given);
  const candidates =
    completion.kind === "words" ? completion.words : await stored(asked(context, given), completion.names);
  const typed = given.at(-1) ?? "";
  // For a shell that treats `--type=f` as one word, the candidates must contain the whole word.
  const before = /^--[\w-]+=/u.exec(written.at(-1) ?? "")?.[0] ?? "";
  const fitting = candidates
    .filter((candidate) => candidate.startsWith(typed))
    .map((one) => `${before}${printable(one)}`)
    .map((one) => (ofBash === undefined ? one : quotedForBash(one.slice(ofBash.kept.length), ofBash.quote)));
  if (fitting.length > 0) context.terminal.print(fitting.join("\n"));
  return 0;
};

/** The context of the line that is completed, which may name another store. */
function asked(context: CommandContext, words: readonly string[]): CommandContext {
  const flags = storeFlags(words);
  return Object.keys(flags).length === 0 ? context : openContext(flags);
}

async function stored(context: CommandContext, names: StoredNames): Promise<string[]> {
  // Completing a line must not create a store.
  const { home, settings } = context.configuration();
  if (!usesExternalStore(context) && !existsSync(databaseFile(home))) return [];
  try {
    const { call } = await context.caller();
    return [...new Set(await storedNames[names]({ call, view: visibleRows(settings) }))];
  } finally {
    await context.close();
  }
}

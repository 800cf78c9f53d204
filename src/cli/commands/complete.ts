import { existsSync } from "node:fs";
import { databaseFile } from "../../config/home.ts";
import type { CommandContext, CommandRun } from "../command.ts";
import { usesExternalStore } from "../location/external-store.ts";
import { type StoredNames, storedNames } from "../names/stored-names.ts";
import { visibleRows } from "../names/visible-rows.ts";
import { printable } from "../render/text.ts";
import { completionOf, splitFlagValues } from "../shell/completion.ts";

/** Prints one candidate a line. A shell that asks while something is broken gets none, and no message in its way. */
export const run: CommandRun = async (context, [words]) => {
  const written: readonly string[] = Array.isArray(words) ? words : [];
  const given = splitFlagValues(written);
  const completion = completionOf(given);
  const candidates = completion.kind === "words" ? completion.words : await stored(context, completion.names);
  const typed = given.at(-1) ?? "";
  // A shell that takes `--type=f` for one word wants it back as one.
  const before = /^--[\w-]+=/u.exec(written.at(-1) ?? "")?.[0] ?? "";
  const fitting = candidates
    .filter((candidate) => candidate.startsWith(typed))
    .map((one) => `${before}${printable(one)}`);
  if (fitting.length > 0) context.terminal.print(fitting.join("\n"));
  return 0;
};

async function stored(context: CommandContext, names: StoredNames): Promise<string[]> {
  // Completing a line must not make a store where there is none.
  const { home, settings } = context.configuration();
  if (!usesExternalStore(context) && !existsSync(databaseFile(home))) return [];
  const { call } = await context.caller();
  return [...new Set(await storedNames[names]({ call, view: visibleRows(settings) }))];
}

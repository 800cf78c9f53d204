import { existsSync, readFileSync, realpathSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { MemsvcError } from "../operation/errors.ts";
import { writeDurably } from "../paths/durable-file.ts";
import { removeUnfinishedOf } from "../paths/remove-unfinished.ts";
import { whileLocked } from "../paths/while-locked.ts";
import { configFile } from "./home.ts";

/** How long others may take with it, and how often they are looked for: each takes some milliseconds. */
const patienceMs = 5_000;
const askEveryMs = 20;

/** The text of the config file of a home; undefined where there is none. Error: invalid_setting, when it cannot be read. */
export function readConfigFile(home: string): string | undefined {
  const file = configFile(home);
  if (!existsSync(file)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(readFileSync(file));
  } catch (error) {
    // Read as something else it would hold no secret, or another, and be written back so.
    if (error instanceof TypeError)
      throw new MemsvcError("invalid_setting", `the config file ${file} is not UTF-8 text`, {
        hint: "save it as UTF-8",
        cause: error,
      });
    const code = error instanceof Error && "code" in error ? ` (${String(error.code)})` : "";
    throw new MemsvcError("invalid_setting", `the config file ${file} cannot be read${code}`, {
      hint: "it must be a file that this user can read",
      cause: error,
    });
  }
}

/**
 * Changes the text of the config file, which is empty where there is none, one process after the other; undefined leaves
 * it as it is. It is written as a whole, for the owner alone; one that is a link, as to a folder of dotfiles, stays one.
 * Error: conflict, where another process keeps it to itself.
 */
export async function changeConfigFile(
  home: string,
  change: (text: string) => string | undefined,
): Promise<void> {
  const file = configFile(home);
  const givenUpAt = performance.now() + patienceMs;
  for (;;) {
    const outcome = await whileLocked(`${file}.lock`, async () => {
      const text = change(readConfigFile(home) ?? "");
      if (text === undefined) return;
      const written = existsSync(file) ? realpathSync(file) : file;
      // What a killed process left of it holds the secret, too.
      await removeUnfinishedOf(written);
      await writeDurably(written, text);
    });
    if (outcome.kind === "done") return;
    if (performance.now() > givenUpAt)
      throw new MemsvcError("conflict", `another process is changing ${file} at this moment`, {
        hint: `try again; if none is running any more, remove ${file}.lock`,
      });
    await sleep(askEveryMs);
  }
}

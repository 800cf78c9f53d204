import { existsSync, realpathSync, statSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { MemsvcError } from "../operation/errors.ts";
import { writeDurably } from "../paths/durable-file.ts";
import { readDelivered } from "../paths/read-delivered.ts";
import { removeUnfinishedOf } from "../paths/remove-unfinished.ts";
import { whileLocked } from "../paths/while-locked.ts";
import { errorCode } from "../system/error-code.ts";
import { utf8Text } from "../text/utf8-text.ts";
import { configFile } from "./home.ts";

/**
 * How long to wait for another process that is changing the file (each change takes some milliseconds), and how often
 * to look.
 */
const patienceMs = 5_000;
const askEveryMs = 20;

/** The text of a home's config file; undefined if there is none. Error: invalid_setting if it cannot be read. */
export function readConfigFile(home: string): string | undefined {
  const file = configFile(home);
  if (!existsSync(file)) return undefined;
  const bytes = bytesOf(file);
  if (bytes === undefined) throw undelivered(file);
  // Decoded leniently, the file might yield a wrong secret or none, and would be written back like that.
  return utf8Text(bytes, `the config file ${file}`, { code: "invalid_setting", hint: "save it as UTF-8" });
}

/** Undefined for a pipe through which nothing comes. */
function bytesOf(file: string): Buffer | undefined {
  try {
    return readDelivered(file);
  } catch (error) {
    const code = errorCode(error);
    const problem = `cannot be read${code === undefined ? "" : ` (${code})`}`;
    throw new MemsvcError("invalid_setting", `the config file ${file} ${problem}`, {
      hint: "it must be a file that this user can read",
      cause: error,
    });
  }
}

function undelivered(file: string): MemsvcError {
  return new MemsvcError(
    "invalid_setting",
    `the config file ${file} is a pipe, and nothing came through it`,
    {
      hint: "start the program that writes to it, such as a secret manager, or put a file in its place",
    },
  );
}

/** Refuses to change settings that come through a pipe: written back, its text would be in a file. */
export function refusePipe(home: string): void {
  const file = configFile(home);
  if (statSync(file, { throwIfNoEntry: false })?.isFIFO() !== true) return;
  throw new MemsvcError("invalid_setting", `the config file ${file} is a pipe, and cannot be written to`, {
    hint: "change the setting where the text of the pipe comes from, such as in a secret manager",
  });
}

/**
 * Changes the text of the config file (empty if there is no file), one process at a time; if `change` returns
 * undefined, the file is left as it is. It is written atomically, readable by the owner only. A symbolic link, for
 * example into a folder of dotfiles, stays a link. Errors: invalid_setting for a pipe; conflict if another process holds
 * the lock too long.
 */
export async function changeConfigFile(
  home: string,
  change: (text: string) => string | undefined,
): Promise<void> {
  refusePipe(home);
  const file = configFile(home);
  const givenUpAt = performance.now() + patienceMs;
  for (;;) {
    const outcome = await whileLocked(`${file}.lock`, async () => {
      const text = change(readConfigFile(home) ?? "");
      if (text === undefined) return;
      const written = existsSync(file) ? realpathSync(file) : file;
      // The unfinished file of a process that was killed contains the secret, too.
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

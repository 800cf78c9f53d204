import { existsSync, readFileSync, realpathSync } from "node:fs";
import { MemsvcError } from "../operation/errors.ts";
import { writeDurably } from "../paths/durable-file.ts";
import { makeFolder } from "../paths/make-folder.ts";
import { configFile } from "./home.ts";

/** The text of the config file of a home; undefined where there is none. Error: invalid_setting, when it cannot be read. */
export function readConfigFile(home: string): string | undefined {
  const file = configFile(home);
  if (!existsSync(file)) return undefined;
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? ` (${String(error.code)})` : "";
    throw new MemsvcError("invalid_setting", `the config file ${file} cannot be read${code}`, {
      hint: "it has to be a file that this user may read",
      cause: error,
    });
  }
}

/** Writes it as a whole, for the owner alone; one that is a link, as to a folder of dotfiles, stays one. */
export async function writeConfigFile(home: string, text: string): Promise<void> {
  makeFolder(home);
  const file = configFile(home);
  await writeDurably(existsSync(file) ? realpathSync(file) : file, text);
}

import { readFile } from "node:fs/promises";
import { utf8Text } from "../text/utf8-text.ts";

/** The text of a file, with a byte order mark if it has one. Error: invalid_input if it is not UTF-8. */
export async function readUtf8(path: string): Promise<string> {
  return utf8Text(await readFile(path), path);
}

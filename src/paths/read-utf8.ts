import { readFile } from "node:fs/promises";
import { MemsvcError } from "../operation/errors.ts";

/** The text of a file, with a byte order mark if it has one. Error: invalid_input if it is not UTF-8. */
export async function readUtf8(path: string): Promise<string> {
  const bytes = await readFile(path);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new MemsvcError("invalid_input", `${path} is not UTF-8 text`, { cause: error });
  }
}

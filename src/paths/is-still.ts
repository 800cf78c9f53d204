import { existsSync, readFileSync } from "node:fs";

/** Whether a file holds exactly this text now; undefined means that the file must not exist. */
export function isStill(path: string, text: string | undefined): boolean {
  if (!existsSync(path)) return text === undefined;
  return text !== undefined && readFileSync(path).equals(Buffer.from(text));
}

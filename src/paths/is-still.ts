import { existsSync, readFileSync } from "node:fs";

/** Whether a file holds this text at this moment; undefined stands for a file that is not there. */
export function isStill(path: string, text: string | undefined): boolean {
  if (!existsSync(path)) return text === undefined;
  return text !== undefined && readFileSync(path).equals(Buffer.from(text));
}

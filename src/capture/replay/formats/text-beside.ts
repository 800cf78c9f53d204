import { readFileSync } from "node:fs";
import { statIfExists } from "../../../paths/stat-if-exists.ts";

/** The text of a small file that an agent keeps beside a transcript; empty if there is none. */
export function textBeside(path: string, mostBytes: number): string {
  const found = statIfExists(path);
  return found?.isFile() === true && found.size <= mostBytes ? readFileSync(path, "utf8") : "";
}

import { cutCodePoints } from "../../text/code-points.ts";
import type { NodeType } from "../record.ts";

const longestName = 300;
const mostWords = 16;
const longestWord = 64;
/** Most names: they are what normal forms leave as it is. */
const isCleanAscii = /^[!-~]+(?: [!-~]+)*$/u;
const word = /[\p{L}\p{N}]+/gu;

/** A name as it is stored: one line, at most 300 characters. */
export function cleanName(name: string): string {
  if (name.length <= longestName && isCleanAscii.test(name)) return name;
  return cutCodePoints(name.normalize("NFC").replace(/\s+/gu, " ").trim(), longestName);
}

/** What a name is told apart by: its text without case, of files with it. */
export function identityOf(type: NodeType, name: string): string {
  return type === "file" ? name : name.toLowerCase();
}

/** What a name is looked up by. */
export function foldedName(name: string): string {
  return isCleanAscii.test(name) ? name.toLowerCase() : name.normalize("NFKC").toLowerCase();
}

/** The words of a name, each once: letters and digits between anything else. */
export function wordsOf(name: string): string[] {
  const found = new Set<string>();
  for (const [match] of foldedName(name).matchAll(word)) {
    found.add(match.slice(0, longestWord));
    if (found.size === mostWords) break;
  }
  return [...found];
}

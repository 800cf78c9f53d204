import { cutCodePoints } from "../../text/code-points.ts";
import { scriptPattern } from "../../text/script-pattern.ts";
import type { NodeType } from "../record.ts";

const longestName = 300;
const mostWords = 16;
const longestWord = 64;
/** Matches most names: Unicode normalization and trimming leave them as they are, and can be skipped. */
const isCleanAscii = /^[!-~]+(?: [!-~]+)*$/u;
const word = scriptPattern(String.raw`[\p{L}\p{N}]+`, "g");

/** A name as it is stored: one line, at most 300 characters. */
export function cleanName(name: string): string {
  if (name.length <= longestName && isCleanAscii.test(name)) return name;
  return cutCodePoints(name.normalize("NFC").replace(/\s+/gu, " ").trim(), longestName);
}

/** What makes two names of a type the same: the text in lower case, except for files. */
export function identityOf(type: NodeType, name: string): string {
  return type === "file" ? name : name.toLowerCase();
}

/** The form of a name under which it is looked up: NFKC, lower case. */
export function foldedName(name: string): string {
  return isCleanAscii.test(name) ? name.toLowerCase() : name.normalize("NFKC").toLowerCase();
}

/** The distinct words of a name: its runs of letters and digits, up to a limit. */
export function wordsOf(name: string): string[] {
  const found = new Set<string>();
  const folded = foldedName(name);
  for (const [match] of folded.matchAll(word(folded))) {
    found.add(cutCodePoints(match, longestWord));
    if (found.size === mostWords) break;
  }
  return [...found];
}

import { withoutHereDocuments } from "./here-documents.ts";

/** A part of a command line, and the operator before it: `&&`, `||`, `;`, `|`, a line feed, or nothing. */
interface CommandPart {
  readonly after: "" | "&&" | "||" | ";" | "|" | "\n";
  readonly text: string;
}

const longestRead = 2000;
/**
 * Text that is quoted, escaped or a comment contains no operators. A quote without an end (the line was cut)
 * extends to the end.
 */
const quotedOrOperator =
  /(?<![^\s;|&(])#[^\n]*|\\[\s\S]|"(?:[^"\\]|\\[\s\S])*(?:"|\\?$)|'[^']*(?:'|$)|&&|\|\||[;|\n]/g;
const operators = new Set<string>(["&&", "||", ";", "|", "\n"] satisfies CommandPart["after"][]);

/**
 * The parts of a command line, split as a shell does; of the first 2,000 characters, in which texts that are written
 * into the command do not count.
 */
export function commandParts(command: string): CommandPart[] {
  const line = withoutHereDocuments(command).slice(0, longestRead);
  const parts: CommandPart[] = [];
  let after: CommandPart["after"] = "";
  let from = 0;
  for (const { 0: found, index } of line.matchAll(quotedOrOperator)) {
    if (!isOperator(found)) continue;
    parts.push({ after, text: line.slice(from, index) });
    after = found;
    from = index + found.length;
  }
  parts.push({ after, text: line.slice(from) });
  return parts;
}

function isOperator(found: string): found is CommandPart["after"] {
  return operators.has(found);
}

/** Joins parts to a line, with spaces as people write them. */
export function joinedParts(parts: readonly CommandPart[]): string {
  let line = "";
  for (const { after, text } of parts) {
    const before = after === "" || after === ";" || after === "\n" ? after : ` ${after}`;
    line += `${before}${line === "" || after === "\n" ? "" : " "}${text.trim()}`;
  }
  return line;
}

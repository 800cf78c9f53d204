import { parse, TomlError } from "smol-toml";
import { isMemsvcError, MemsvcError } from "../../operation/errors.ts";
import { type Statement, statementsOf } from "./toml-text.ts";

/*
 * What memsvc writes at the end of a TOML file: a block between two comments. Agents and formatters may remove the
 * comments or put other tables between them, so the entries in it are recognised by what they say.
 */

const beginMark = "# >>> memsvc >>> written by memsvc connect";
const endMark = "# <<< memsvc <<<";

/** The values of a TOML text. Error: invalid_input if it cannot be parsed. */
export function tomlValues(text: string): Record<string, unknown> {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [problem = ""] = error.message.replace(/^Invalid TOML document: /u, "").split("\n");
    throw new MemsvcError(
      "invalid_input",
      `it is not valid TOML: ${problem} at line ${error.line}, column ${error.column}`,
    );
  }
}

export function isToml(text: string): boolean {
  try {
    tomlValues(text);
    return true;
  } catch (error) {
    if (isMemsvcError(error, "invalid_input")) return false;
    throw error;
  }
}

/** The text with a block of these lines at its end. */
export function withBlock(text: string, lines: readonly string[]): string {
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const block = [beginMark, ...lines, endMark, ""].join(eol);
  const gap = text === "" ? "" : text.endsWith("\n") ? eol : eol + eol;
  return text + gap + block;
}

interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** Removes the block's comments, and the statements that are ours. */
export function withoutStatements(
  text: string,
  isOurStatement: (statement: Exclude<Statement, { readonly kind: "comment" }>) => boolean,
): string {
  const ours: TextRange[] = [];
  let isAfterOurs = false;
  for (const statement of statementsOf(text)) {
    const lines = wholeLines(text, statement);
    const isComment = statement.kind === "comment";
    const line = text.slice(lines.start, lines.end).trim();
    const isOurs = isComment ? line === endMark || line.startsWith(beginMark) : isOurStatement(statement);
    // Comments between two of our statements belong to them.
    const begun = isOurs && isAfterOurs ? ours.pop() : undefined;
    const gapped = line === endMark ? lines : withGap(text, lines);
    if (isOurs) ours.push(begun === undefined ? gapped : { start: begun.start, end: lines.end });
    isAfterOurs = isOurs || (isAfterOurs && isComment);
  }
  return ours.reduceRight((rest, { start, end }) => rest.slice(0, start) + rest.slice(end), text);
}

/** Extends a statement to its whole line, including a comment after it. */
function wholeLines(text: string, { start, end }: TextRange): TextRange {
  const next = text.indexOf("\n", end);
  return { start: text.lastIndexOf("\n", start - 1) + 1, end: next < 0 ? text.length : next + 1 };
}

/** Extends a range by the empty line before it, which was inserted with it. */
function withGap(text: string, { start, end }: TextRange): TextRange {
  const gap = /(?:^|\n)([ \t]*\r?\n)$/u.exec(text.slice(0, start))?.[1] ?? "";
  return { start: start - gap.length, end };
}

export function inlineInTheWay(message: string): MemsvcError {
  return new MemsvcError("conflict", message, {
    hint: "an inline table of that name is in the way: write it as tables",
  });
}

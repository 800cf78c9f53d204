import { parse } from "smol-toml";
import { isContainer } from "../../json/is-object.ts";
import { endOfMatchAt, matchAt } from "../../text/match-at.ts";

/*
 * Finds the positions of statements in a TOML text, which the parser does not tell, so that one can be changed or
 * removed without touching the others. Each statement has its full path. The text has been parsed before, so its syntax
 * is not checked here.
 */

export type TomlPath = readonly string[];

/**
 * A comment, a table header, or a key with its value. `end` is the statement's end, before a comment that follows it.
 */
export type Statement =
  | { readonly kind: "comment"; readonly start: number; readonly end: number }
  | { readonly kind: "header"; readonly path: TomlPath; readonly start: number; readonly end: number }
  | {
      readonly kind: "value";
      readonly path: TomlPath;
      readonly start: number;
      readonly valueStart: number;
      readonly end: number;
    };

const key = String.raw`(?:[\w-]+|"(?:[^"\\]|\\.)*"|'[^']*')`;
const keys = String.raw`(${key}(?:[ \t]*\.[ \t]*${key})*)[ \t]*`;
const headerAt = new RegExp(String.raw`\[\[?[ \t]*${keys}\]\]?`, "uy");
const assignmentAt = new RegExp(String.raw`${keys}=[ \t]*`, "uy");
const commentAt = /#[^\r\n]*/uy;
const blankAt = /\s+/uy;
/** The pieces of a value: strings, brackets, comments, and other text. */
const pieceAt =
  /"""(?:[^\\]|\\.)*?"{3,5}|'''.*?'{3,5}|"(?:[^"\\]|\\.)*"|'[^']*'|[[{]|[\]}]|#[^\r\n]*|[^"'[\]{}#\r\n]+|\s+/suy;

export function statementsOf(text: string): Statement[] {
  const found: Statement[] = [];
  let table: TomlPath = [];
  for (let at = 0; at < text.length; at = found.at(-1)?.end ?? 0) {
    const start = endOfMatchAt(blankAt, text, at) ?? at;
    if (start === text.length) break;
    const comment = matchAt(commentAt, text, start);
    const header = matchAt(headerAt, text, start);
    const assignment = matchAt(assignmentAt, text, start);
    if (comment !== null) found.push({ kind: "comment", start, end: start + comment[0].length });
    else if (header !== null) {
      table = pathOf(header[1]);
      found.push({ kind: "header", path: table, start, end: start + header[0].length });
    } else if (assignment !== null) {
      const valueStart = start + assignment[0].length;
      const path = [...table, ...pathOf(assignment[1])];
      found.push({ kind: "value", path, start, valueStart, end: endOfValue(text, valueStart) });
    } else throw new Error(`no TOML statement at character ${start}`);
  }
  return found;
}

/** The parts of a dotted key, unquoted and unescaped. */
function pathOf(written = ""): string[] {
  return namesIn(parse(`${written} = 0`));
}

function namesIn(node: unknown): string[] {
  if (!isContainer(node)) return [];
  return Object.entries(node).flatMap(([name, inner]) => [name, ...namesIn(inner)]);
}

function endOfValue(text: string, start: number): number {
  let depth = 0;
  let at = start;
  do {
    const piece = matchAt(pieceAt, text, at)?.[0];
    if (piece === undefined) throw new Error(`no TOML value at character ${at}`);
    if (piece === "[" || piece === "{") depth += 1;
    if (piece === "]" || piece === "}") depth -= 1;
    at += depth === 0 ? piece.trimEnd().length : piece.length;
  } while (depth > 0);
  return at;
}

import { getNodeValue, type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import { MemsvcError } from "../../operation/errors.ts";

/*
 * Edits a JSON text without touching anything else in it: comments, order, indentation, line ends, trailing commas.
 * Insertions get lines of their own in the file's style, and removing them restores the text.
 */

export type JsonPath = readonly (string | number)[];

/** Parses JSON with comments and trailing commas. Error: invalid_input, with the position. */
export function jsonTree(text: string): Node {
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first !== undefined) {
    const problem = printParseErrorCode(first.error)
      .replaceAll(/(?<=[a-z])(?=[A-Z])/gu, " ")
      .toLowerCase();
    throw new MemsvcError(
      "invalid_input",
      `it is not valid JSON: ${problem} at ${placeIn(text, first.offset)}`,
    );
  }
  if (tree?.type !== "object") {
    throw new MemsvcError("invalid_input", "it does not hold a JSON object");
  }
  return tree;
}

function placeIn(text: string, offset: number): string {
  const before = text.slice(0, offset).split("\n");
  return `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
}

/** The node at a path; undefined if there is none. Error: invalid_input if a key on the path is duplicated. */
export function nodeAt(tree: Node, path: JsonPath): Node | undefined {
  let node: Node | undefined = tree;
  for (const step of path) {
    if (node === undefined) return undefined;
    if (typeof step === "number") {
      node = node.type === "array" ? node.children?.[step] : undefined;
      continue;
    }
    if (node.type !== "object") return undefined;
    const found = (node.children ?? []).filter(({ children: [key] = [] }) => key?.value === step);
    if (found.length > 1) throw new MemsvcError("invalid_input", `"${step}" stands in it more than once`);
    node = found[0]?.children?.[1];
  }
  return node;
}

export function valueAt(text: string, path: JsonPath): unknown {
  const node = nodeAt(jsonTree(text), path);
  // The parser's objects lack a prototype, so they would not compare equal to ordinary objects.
  return node === undefined ? undefined : structuredClone(getNodeValue(node));
}

/** Sets the value at a path of keys, creating objects as needed. */
export function setValue(text: string, path: readonly string[], value: unknown): string {
  const tree = jsonTree(text);
  const style = styleOf(text);
  const there = nodeAt(tree, path);
  if (there !== undefined) {
    const shown = textOf(value, indentAt(text, there.offset), style);
    return spliced(text, there.offset, there.offset + there.length, shown);
  }
  let depth = path.length - 1;
  while (depth > 0 && nodeAt(tree, path.slice(0, depth)) === undefined) depth -= 1;
  const container = nodeAt(tree, path.slice(0, depth)) ?? tree;
  if (container.type !== "object") throw wrongKind(path.slice(0, depth), "an object");
  const rest = path.slice(depth + 1).reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
  return inserted(text, container, `${JSON.stringify(path[depth])}: `, rest, style);
}

/** Appends to the list at a path, creating it if needed. */
export function appendItem(text: string, path: readonly string[], item: unknown): string {
  const list = nodeAt(jsonTree(text), path);
  if (list === undefined) return setValue(text, path, [item]);
  if (list.type !== "array") throw wrongKind(path, "a list");
  return inserted(text, list, "", item, styleOf(text));
}

/** Removes the value at a path, with its comma and the lines that only it occupied. */
export function removeValue(text: string, path: JsonPath): string {
  const tree = jsonTree(text);
  const container = nodeAt(tree, path.slice(0, -1));
  const value = nodeAt(tree, path);
  if (container === undefined || value === undefined) return text;
  const child = container.type === "object" ? (value.parent ?? value) : value;
  const siblings = container.children ?? [];
  const previous = siblings[siblings.indexOf(child) - 1];
  let [start, end] = [child.offset, child.offset + child.length];
  const { comma } = trivia(text, end, container.offset + container.length - 1);
  if (comma !== undefined) end = comma + 1;
  [start, end] = wholeLines(text, start, end);
  let rest = spliced(text, start, end, "");
  if (comma === undefined && previous !== undefined) {
    const before = trivia(text, previous.offset + previous.length, child.offset).comma;
    if (before !== undefined) rest = spliced(rest, before, before + 1, "");
  }
  const left = nodeAt(jsonTree(rest), path.slice(0, -1));
  const isBlank = left !== undefined && /^.\s*.$/su.test(rest.slice(left.offset, left.offset + left.length));
  return left === undefined || !isBlank
    ? rest
    : spliced(rest, left.offset + 1, left.offset + left.length - 1, "");
}

interface Style {
  readonly unit: string;
  readonly eol: string;
}

function styleOf(text: string): Style {
  const unit = /^([ \t]+)\S/mu.exec(text)?.[1] ?? "  ";
  return { unit: unit.startsWith("\t") ? "\t" : unit, eol: text.includes("\r\n") ? "\r\n" : "\n" };
}

function inserted(text: string, container: Node, name: string, value: unknown, style: Style): string {
  const close = container.offset + container.length - 1;
  const last = container.children?.at(-1);
  const from = last === undefined ? container.offset + 1 : last.offset + last.length;
  const { comma, end } = trivia(text, from, close);
  if (isOnOneLine(text, container)) {
    const shown = `${name}${JSON.stringify(value)}`;
    const [before, after] = last === undefined ? ["", ""] : comma === undefined ? [", ", ""] : [" ", ","];
    return spliced(text, end, end, before + shown + after);
  }
  const outer = indentAt(text, container.offset);
  const indent =
    last === undefined || !startsLine(text, last.offset) ? outer + style.unit : indentAt(text, last.offset);
  const shown = `${name}${textOf(value, indent, style)}${comma === undefined ? "" : ","}`;
  const closing = text.slice(end, close).includes("\n") ? "" : style.eol + outer;
  const longer = spliced(text, end, end, style.eol + indent + shown + closing);
  return last === undefined || comma !== undefined ? longer : spliced(longer, from, from, ",");
}

/** Whether a container is written on one line; an empty one, if the rest of the text is. */
function isOnOneLine(text: string, { offset, length, children = [] }: Node): boolean {
  if (children.length > 0) return !text.slice(offset, offset + length).includes("\n");
  return !text.trim().includes("\n") && text.trim().length > length;
}

/** The position of the comma after a value, and the end of the last comment or comma before the next one. */
function trivia(text: string, from: number, to: number): { comma: number | undefined; end: number } {
  const pieces = /\s+|\/\/[^\r\n]*|\/\*.*?\*\/|,/suy;
  pieces.lastIndex = from;
  let comma: number | undefined;
  let end = from;
  for (let at = from; at < to; at = pieces.lastIndex) {
    const [piece] = pieces.exec(text) ?? [];
    if (piece === undefined) break;
    if (piece === ",") comma = at;
    if (piece.trim() !== "") end = at + piece.length;
  }
  return { comma, end };
}

/** Extends a range to whole lines if nothing else is on them, otherwise to adjacent blanks. */
function wholeLines(text: string, start: number, end: number): [number, number] {
  const before = /(?:^|\r?\n)?[ \t]*$/u.exec(text.slice(0, start))?.[0] ?? "";
  const after = /^[ \t]*/u.exec(text.slice(end))?.[0] ?? "";
  const endsLine = /^(?:\r?\n|$)/u.test(text.slice(end + after.length));
  if (before.includes("\n"))
    return endsLine ? [start - before.length, end + after.length] : [start, end + after.length];
  return /[[{]$/u.test(text.slice(0, start - before.length))
    ? [start, end + after.length]
    : [start - before.length, end];
}

function startsLine(text: string, offset: number): boolean {
  return /(?:^|\n)[ \t]*$/u.test(text.slice(0, offset));
}

/** The indentation of a line. */
function indentAt(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset);
  return /^[ \t]*/u.exec(line)?.[0] ?? "";
}

function textOf(value: unknown, indent: string, { unit, eol }: Style): string {
  return JSON.stringify(value, null, unit).replaceAll("\n", eol + indent);
}

function spliced(text: string, start: number, end: number, piece: string): string {
  return text.slice(0, start) + piece + text.slice(end);
}

function wrongKind(path: JsonPath, wanted: string): MemsvcError {
  return new MemsvcError("invalid_input", `"${path.join(".")}" in it is not ${wanted}`);
}

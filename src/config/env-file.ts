/**
 * The config file `<home>/.env`: one `KEY=VALUE` per line, `#` comments, optional `export `, values bare or in single
 * or double quotes. If the closing quote is missing, the value is taken literally, so that a typo never turns a secret
 * into no secret. This file imports nothing, because every start of memsvc loads it.
 */

interface Assignment {
  readonly key: string;
  readonly value: string;
  /**
   * The text of the line before the value (`export KEY = `) and after it (`  # comment`), kept when the value changes.
   */
  readonly before: string;
  readonly after: string;
}

const lineBreak = /\r\n|\n|\r/;
const assignmentStart = /^\uFEFF?[ \t]*(?:export[ \t]+)?([A-Za-z_][A-Za-z0-9_]*)[ \t]*=/;
const keyPattern = /^[A-Za-z_][A-Za-z0-9_]*$/;
const barePattern = /^[A-Za-z0-9_./:@%+,=~-]*$/;

const escapes = new Map([
  ["n", "\n"],
  ["r", "\r"],
  ['"', '"'],
  ["\\", "\\"],
]);

/** All assignments of a config file. The last one of a key wins; lines that are not assignments are ignored. */
export function parseEnvFile(text: string): Map<string, string> {
  const values = new Map<string, string>();
  for (const line of text.split(lineBreak)) {
    const assignment = readAssignment(line);
    if (assignment) values.set(assignment.key, assignment.value);
  }
  return values;
}

/** Whether a key has a value that is not empty, which would count as unset. */
export function isSetInEnvFile(text: string, key: string): boolean {
  return (parseEnvFile(text).get(key) ?? "") !== "";
}

/** The line numbers (from 1) of lines that are neither blank, nor a comment, nor `KEY=VALUE`. */
export function unreadableEnvLines(text: string): number[] {
  const numbers: number[] = [];
  for (const [index, line] of text.split(lineBreak).entries()) {
    const content = line.trim();
    if (content !== "" && !content.startsWith("#") && !readAssignment(line)) numbers.push(index + 1);
  }
  return numbers;
}

/**
 * Returns the text with `key` set to `value`: in its last line, which is the effective one, or in a new line at the
 * end. Everything else, including comments and line ends, is kept. Throws a TypeError if `key` is not a valid name.
 */
export function setInEnvFile(text: string, key: string, value: string): string {
  if (!keyPattern.test(key)) throw new TypeError("the key of a setting is made of letters, digits and _");
  // Split with a capture group: lines have even indices, the line ends between them odd ones.
  const pieces = text.split(/(\r\n|\n|\r)/);
  for (let place = pieces.length - 1; place >= 0; place -= 1) {
    const assignment = place % 2 === 0 ? readAssignment(pieces[place] ?? "") : undefined;
    if (assignment?.key !== key) continue;
    pieces[place] = assignment.before + writeValue(value) + assignment.after;
    return pieces.join("");
  }
  const lineEnd = pieces[1] ?? "\n";
  const separator = pieces.at(-1) === "" ? "" : lineEnd;
  return `${text}${separator}${key}=${writeValue(value)}${lineEnd}`;
}

/**
 * Returns the text without `key`. All its lines are removed, so that no earlier value becomes effective; but a line
 * with a comment keeps the comment, after an empty value. Everything else is kept.
 */
export function unsetInEnvFile(text: string, key: string): string {
  const pieces = text.split(/(\r\n|\n|\r)/);
  let kept = "";
  for (let place = 0; place < pieces.length; place += 2) {
    const line = pieces[place] ?? "";
    const lineEnd = pieces[place + 1] ?? "";
    const assignment = readAssignment(line);
    if (assignment?.key !== key) kept += line + lineEnd;
    else if (assignment.after.trim() !== "")
      kept += assignment.before + writeValue("") + assignment.after + lineEnd;
  }
  return kept;
}

function readAssignment(line: string): Assignment | undefined {
  const start = assignmentStart.exec(line);
  const key = start?.[1];
  if (!start || key === undefined) return undefined;
  const valueStart = skipBlanks(line, start[0].length);
  const quoted = readQuoted(line, valueStart);
  const { value, end } = quoted ?? readBare(line, start[0].length, valueStart);
  // If the value is empty, the blanks after `=` belong to the comment: without a blank before it, `#` would not begin
  // one.
  const before = line.slice(0, value === "" && !quoted ? start[0].length : valueStart);
  return { key, value, before, after: line.slice(end) };
}

function readQuoted(line: string, start: number): { value: string; end: number } | undefined {
  const quote = line[start];
  if (quote !== '"' && quote !== "'") return undefined;
  let value = "";
  for (let at = start + 1; at < line.length; at += 1) {
    const character = line[at] ?? "";
    if (character === quote) return endsLine(line, at + 1) ? { value, end: at + 1 } : undefined;
    const escaped = quote === '"' && character === "\\" ? escapes.get(line[at + 1] ?? "") : undefined;
    value += escaped ?? character;
    if (escaped !== undefined) at += 1;
  }
  return undefined;
}

/** A bare value ends at the end of the line or before the first ` #`. */
function readBare(line: string, afterEquals: number, start: number): { value: string; end: number } {
  let comment = start > afterEquals && line[start] === "#" ? start : line.length;
  for (
    let hash = line.indexOf("#", start + 1);
    hash !== -1 && hash < comment;
    hash = line.indexOf("#", hash + 1)
  ) {
    if (isBlank(line[hash - 1])) comment = hash;
  }
  let end = comment;
  while (end > afterEquals && isBlank(line[end - 1])) end -= 1;
  return { value: line.slice(Math.min(start, end), end), end };
}

function endsLine(line: string, start: number): boolean {
  const rest = skipBlanks(line, start);
  return rest === line.length || (rest > start && line[rest] === "#");
}

function skipBlanks(line: string, start: number): number {
  let at = start;
  while (isBlank(line[at])) at += 1;
  return at;
}

function isBlank(character: string | undefined): boolean {
  return character === " " || character === "\t";
}

function writeValue(value: string): string {
  if (barePattern.test(value)) return value;
  if (!/['\r\n]/.test(value)) return `'${value}'`;
  const escaped = value
    .replaceAll("\\", "\\\\")
    .replaceAll('"', '\\"')
    .replaceAll("\n", "\\n")
    .replaceAll("\r", "\\r");
  return `"${escaped}"`;
}

import { isDeepStrictEqual } from "node:util";
import { parse, stringify, TomlError } from "smol-toml";
import { isObject } from "../../json/is-object.ts";
import { isMemsvcError, MemsvcError } from "../../operation/errors.ts";
import { isOurServer, wordsOf } from "./our-entries.ts";
import type { SettingsContent } from "./settings-content.ts";
import { statementsOf, type TomlPath } from "./toml-text.ts";

const beginMark = "# >>> memsvc >>> written by memsvc connect";
const endMark = "# <<< memsvc <<<";

/**
 * The MCP server in a TOML file: a table `[mcp_servers.memsvc]` at its end, between comment marks. Agents and
 * formatters may remove the marks or put other tables between them, so the table is recognised by its name and its
 * command. The user's additions to it are kept until it is removed.
 */
export function tomlServer(
  [group, name]: readonly [string, string],
  entry: Readonly<Record<string, string | readonly string[]>>,
): SettingsContent {
  const path = [group, name];
  const header = `[${path.join(".")}]`;
  const entryIn = (text: string): unknown => {
    const table = tables(text)[group];
    return isObject(table) ? table[name] : undefined;
  };
  const withoutEntry = (text: string): string => {
    const rest = withoutOurs(text, path);
    if (!isReadable(rest) || entryIn(rest) !== undefined)
      throw inTheWay(`${header} cannot be taken out of it`);
    return rest;
  };
  const withNewEntry = (text: string): string => {
    const rest = withoutEntry(text);
    const eol = text.includes("\r\n") ? "\r\n" : "\n";
    const block = [beginMark, header, ...stringify(entry).trimEnd().split("\n"), endMark, ""].join(eol);
    const gap = rest === "" ? "" : rest.endsWith("\n") ? eol : eol + eol;
    const next = rest + gap + block;
    // If the text was valid before but is not valid with the table, or parses differently, the table cannot be added.
    if (!isReadable(next) || !isDeepStrictEqual(entryIn(next), entryIn(block)))
      throw inTheWay(`${header} cannot stand at its end`);
    return next;
  };
  return {
    label: "the MCP server memsvc",
    connected: (text = "") => {
      const found = entryIn(text);
      if (found === undefined) return withNewEntry(text);
      if (!isOurServer(found)) {
        throw new MemsvcError("conflict", `${header} in it runs another program`, {
          hint: "give that table another name, or remove it",
        });
      }
      return Object.entries(entry)
        .filter(([key, value]) => !isDeepStrictEqual(Reflect.get(found, key), value))
        .reduce((next, [key, value]) => withValue(next, [...path, key], value), text);
    },
    holds: (text) => isOurServer(entryIn(text)),
    disconnected: (text, original) => {
      const rest = withoutEntry(text);
      return rest.trim() === "" && original !== undefined && original.text === undefined ? undefined : rest;
    },
    commands: (text) => {
      const found = entryIn(text);
      return isOurServer(found) ? [wordsOf(found)] : [];
    },
  };
}

function isReadable(text: string): boolean {
  try {
    tables(text);
    return true;
  } catch (error) {
    if (isMemsvcError(error, "invalid_input")) return false;
    throw error;
  }
}

function tables(text: string): Record<string, unknown> {
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

/** Replaces the value of an existing key. Error: conflict if it is in an inline table. */
function withValue(text: string, path: TomlPath, value: string | readonly string[]): string {
  const there = statementsOf(text).find((one) => one.kind === "value" && isDeepStrictEqual(one.path, path));
  if (there?.kind !== "value") throw inTheWay(`${path.join(".")} in it cannot be changed`);
  const written = stringify({ value }).slice("value = ".length).trimEnd();
  return text.slice(0, there.valueStart) + written + text.slice(there.end);
}

interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** Removes our marks and everything at or below a path: its table, subtables, dotted keys. */
function withoutOurs(text: string, path: TomlPath): string {
  const ours: TextRange[] = [];
  let isAfterOurs = false;
  for (const statement of statementsOf(text)) {
    const lines = wholeLines(text, statement);
    const isComment = statement.kind === "comment";
    const line = text.slice(lines.start, lines.end).trim();
    const isOurs = isComment
      ? line === endMark || line.startsWith(beginMark)
      : isDeepStrictEqual(statement.path.slice(0, path.length), path);
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

function inTheWay(message: string): MemsvcError {
  return new MemsvcError("conflict", message, {
    hint: "an inline table of that name is in the way: write it as tables",
  });
}

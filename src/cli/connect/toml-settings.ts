import { isDeepStrictEqual } from "node:util";
import { parse, stringify, TomlError } from "smol-toml";
import { isMemsvcError, MemsvcError } from "../../operation/errors.ts";
import { isOurServer, wordsOf } from "./our-entries.ts";
import type { SettingsContent } from "./settings-content.ts";
import { statementsOf, type TomlPath } from "./toml-text.ts";

const beginMark = "# >>> memsvc >>> written by memsvc connect";
const endMark = "# <<< memsvc <<<";

/**
 * The table of the MCP server in a TOML file: `[mcp_servers.memsvc]`, put at its end between marks. An agent or a
 * formatter may drop the marks or put tables of its own between them, so that the table is found by its name and what
 * it runs. What the user has added to it stays until it goes.
 */
export function tomlServer(
  [group, name]: readonly [string, string],
  entry: Readonly<Record<string, string | readonly string[]>>,
): SettingsContent {
  const path = [group, name];
  const header = `[${path.join(".")}]`;
  const entryIn = (text: string): unknown => {
    const table = tables(text)[group];
    return typeof table === "object" && table !== null ? Reflect.get(table, name) : undefined;
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
    // What could be read before the block came and cannot be read with it, or reads otherwise, has no room for it.
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

/** With another value for a key that is there. Error: conflict where it stands in an inline table. */
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

/** Without our marks, and without what stands at a path or below it: its table, tables in that, dotted keys. */
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
    // What stands between two of ours are comments on them.
    const begun = isOurs && isAfterOurs ? ours.pop() : undefined;
    const gapped = line === endMark ? lines : withGap(text, lines);
    if (isOurs) ours.push(begun === undefined ? gapped : { start: begun.start, end: lines.end });
    isAfterOurs = isOurs || (isAfterOurs && isComment);
  }
  return ours.reduceRight((rest, { start, end }) => rest.slice(0, start) + rest.slice(end), text);
}

/** A statement has its lines for itself, but for a comment behind it. */
function wholeLines(text: string, { start, end }: TextRange): TextRange {
  const next = text.indexOf("\n", end);
  return { start: text.lastIndexOf("\n", start - 1) + 1, end: next < 0 ? text.length : next + 1 };
}

/** With the empty line before it, which was put there with it. */
function withGap(text: string, { start, end }: TextRange): TextRange {
  const gap = /(?:^|\n)([ \t]*\r?\n)$/u.exec(text.slice(0, start))?.[1] ?? "";
  return { start: start - gap.length, end };
}

function inTheWay(message: string): MemsvcError {
  return new MemsvcError("conflict", message, {
    hint: "an inline table of that name is in the way: write it as tables",
  });
}

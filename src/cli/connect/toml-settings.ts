import { isDeepStrictEqual } from "node:util";
import { parse, stringify, TomlError } from "smol-toml";
import { isMemsvcError, MemsvcError } from "../../operation/errors.ts";
import { isOurServer, wordsOf } from "./our-entries.ts";
import type { SettingsContent } from "./settings-content.ts";

const begin = "# >>> memsvc >>> written by memsvc connect";
const end = "# <<< memsvc <<<";

/** A marked block at the end of a TOML file, with the table of the MCP server: `[mcp_servers.memsvc]`. */
export function tomlServer(
  [group, name]: readonly [string, string],
  entry: Readonly<Record<string, string | readonly string[]>>,
): SettingsContent {
  const header = `[${group}.${name}]`;
  const entryIn = (text: string): unknown => {
    const table = tables(text)[group];
    return typeof table === "object" && table !== null ? Reflect.get(table, name) : undefined;
  };
  return {
    label: "the MCP server memsvc",
    connected: (text = "") => {
      const found = entryIn(text);
      if (found !== undefined && !isOurServer(found)) {
        throw new MemsvcError("conflict", `${header} in it runs another program`, {
          hint: "give that table another name, or remove it",
        });
      }
      if (found !== undefined && isUpToDate(found, entry)) return text;
      if (found !== undefined && !text.includes(begin)) {
        throw new MemsvcError("conflict", `${header} in it was not written by memsvc connect`, {
          hint: "remove it, then connect again",
        });
      }
      const rest = withoutBlock(text, header);
      const eol = text.includes("\r\n") ? "\r\n" : "\n";
      const block = [begin, header, ...stringify(entry).trimEnd().split("\n"), end, ""].join(eol);
      const gap = rest === "" ? "" : rest.endsWith("\n") ? eol : eol + eol;
      const next = rest + gap + block;
      // What could be read before the block came and cannot be read with it, or reads otherwise, has no room for it.
      if (!isReadable(next) || !isDeepStrictEqual(entryIn(next), entryIn(block))) throw notAppendable(header);
      return next;
    },
    holds: (text) => text.includes(begin) && isOurServer(entryIn(text)),
    disconnected: (text, original) => {
      const rest = withoutBlock(text, header);
      return rest.trim() === "" && original !== undefined && original.text === undefined ? undefined : rest;
    },
    commands: (text) => {
      const found = entryIn(text);
      return isOurServer(found) ? [wordsOf(found)] : [];
    },
  };
}

function isUpToDate(found: unknown, entry: object): boolean {
  return Object.entries(entry).every(([key, value]) =>
    isDeepStrictEqual(Reflect.get(found as object, key), value),
  );
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

/**
 * Without the marks and our table. The agent may have put tables of its own between the marks when it rewrote the
 * file, so what goes is our table up to the next one, not everything up to the second mark.
 */
function withoutBlock(text: string, header: string): string {
  const lines = text.split("\n");
  const first = lines.findIndex((line) => line.startsWith(begin));
  if (first < 0) return text;
  const table = lines.findIndex((line, at) => at > first && line.trim() === header);
  const last = lines.findIndex((line, at) => at > first && line.trim() === end);
  const next = lines.findIndex((line, at) => at > table && (line.startsWith("[") || line.trim() === end));
  const ours = (at: number) =>
    at === first || at === last || (table > first && at >= table && at < (next < 0 ? lines.length : next));
  // The line before the block is the gap that was put there.
  const gap = first > 0 && lines[first - 1]?.trim() === "" ? first - 1 : -1;
  return lines.filter((_, at) => !ours(at) && at !== gap).join("\n");
}

function notAppendable(header: string): MemsvcError {
  return new MemsvcError("conflict", `${header} cannot stand at its end`, {
    hint: "an inline table of that name is in the way: write it as tables",
  });
}

import { isDeepStrictEqual } from "node:util";
import { stringify } from "smol-toml";
import { isObject } from "../../json/is-object.ts";
import { MemsvcError } from "../../operation/errors.ts";
import { isOurServer, wordsOf } from "./our-entries.ts";
import type { SettingsContent } from "./settings-content.ts";
import { inlineInTheWay, isToml, tomlValues, withBlock, withoutStatements } from "./toml-block.ts";
import { statementsOf, type TomlPath } from "./toml-text.ts";

/**
 * The MCP server in a TOML file: a table `[mcp_servers.memsvc]` at its end, recognised by its name and its command. The
 * user's additions to it are kept until it is removed.
 */
export function tomlServer(
  [group, name]: readonly [string, string],
  entry: Readonly<Record<string, string | readonly string[]>>,
): SettingsContent {
  const path = [group, name];
  const header = `[${path.join(".")}]`;
  const entryIn = (text: string): unknown => {
    const table = tomlValues(text)[group];
    return isObject(table) ? table[name] : undefined;
  };
  const withoutEntry = (text: string): string => {
    // Its table, subtables and dotted keys.
    const rest = withoutStatements(text, (one) => isDeepStrictEqual(one.path.slice(0, path.length), path));
    if (!isToml(rest) || entryIn(rest) !== undefined)
      throw inlineInTheWay(`${header} cannot be taken out of it`);
    return rest;
  };
  const withNewEntry = (text: string): string => {
    const rest = withoutEntry(text);
    const lines = [header, ...stringify(entry).trimEnd().split("\n")];
    const next = withBlock(rest, lines);
    // If the text was valid before but is not valid with the table, or parses differently, the table cannot be added.
    if (!isToml(next) || !isDeepStrictEqual(entryIn(next), entryIn(lines.join("\n"))))
      throw inlineInTheWay(`${header} cannot stand at its end`);
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

/** Replaces the value of an existing key. Error: conflict if it is in an inline table. */
function withValue(text: string, path: TomlPath, value: string | readonly string[]): string {
  const there = statementsOf(text).find((one) => one.kind === "value" && isDeepStrictEqual(one.path, path));
  if (there?.kind !== "value") throw inlineInTheWay(`${path.join(".")} in it cannot be changed`);
  const written = stringify({ value }).slice("value = ".length).trimEnd();
  return text.slice(0, there.valueStart) + written + text.slice(there.end);
}

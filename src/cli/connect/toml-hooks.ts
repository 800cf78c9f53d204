import { isDeepStrictEqual } from "node:util";
import { stringify } from "smol-toml";
import { commandsOf, isOurHook } from "./our-entries.ts";
import { parseCommand } from "./parse-command.ts";
import type { SettingsContent } from "./settings-content.ts";
import { inlineInTheWay, isToml, tomlValues, withBlock, withoutStatements } from "./toml-block.ts";

/** The hooks in a TOML file: tables `[[hooks]]` at its end, recognised by their commands. */
export function tomlHooks(hooks: readonly object[]): SettingsContent {
  const written = stringify({ hooks }).trimEnd();
  const areIn = (text: string) => isDeepStrictEqual(ourHooks(text), ourHooks(written));
  return {
    label: `${hooks.length} hooks`,
    connected: (text = "") => {
      if (areIn(text)) return text;
      const next = withBlock(withoutOurs(text), written.split("\n"));
      if (!isToml(next) || !areIn(next)) throw inlineInTheWay("[[hooks]] cannot stand at its end");
      return next;
    },
    holds: (text) => ourHooks(text).length > 0,
    disconnected: (text, original) => {
      const rest = withoutOurs(text);
      return rest.trim() === "" && original !== undefined && original.text === undefined ? undefined : rest;
    },
    commands: (text) => ourHooks(text).flatMap(commandsOf).map(parseCommand),
  };
}

function allHooks(text: string): readonly unknown[] {
  const { hooks } = tomlValues(text);
  return Array.isArray(hooks) ? hooks : [];
}

function ourHooks(text: string): unknown[] {
  return allHooks(text).filter(isOurHook);
}

function withoutOurs(text: string): string {
  const all = allHooks(text);
  let at = -1;
  const rest = withoutStatements(text, ({ kind, path }) => {
    if (path[0] !== "hooks") return false;
    if (kind === "header" && path.length === 1) at += 1;
    return isOurHook(all[at]);
  });
  if (!isToml(rest) || ourHooks(rest).length > 0)
    throw inlineInTheWay("the entries in hooks cannot be taken out of it");
  return rest;
}

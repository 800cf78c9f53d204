import { pinnedModels } from "../../embedding/models/pinned.ts";
import { wordsOf } from "../../operation/command-syntax.ts";
import type { CommandDefinition, FlagForm } from "../command.ts";
import { agents } from "../connect/agents.ts";
import { storedNamesFor } from "../names/names-for-field.ts";
import type { StoredNames } from "../names/stored-names.ts";
import type { OperationEntry } from "../operations/operation-entry.ts";
import { searchFlags } from "../search/search-variants.ts";

export type Completion =
  | { readonly kind: "words"; readonly words: readonly string[] }
  | { readonly kind: "stored"; readonly names: StoredNames };

interface KnownFlag {
  readonly name: string;
  readonly takesValue: boolean;
  readonly choices: readonly string[];
}

/** A setting, and the values that it may have where they are few. */
export interface KnownSetting {
  readonly name: string;
  readonly choices: readonly string[];
}

interface Known {
  readonly words: readonly string[];
  readonly positionals: readonly { readonly field: string; readonly choices?: readonly string[] }[];
  readonly flags: readonly KnownFlag[];
}

const globalFlags = [
  "json",
  "ndjson",
  "quiet",
  "no-color",
  "no-input",
  "yes",
  "home",
  "url",
  "secret-file",
  "offline",
  "debug",
  "help",
];
const globalWithValue = new Set(["home", "url", "secret-file"]);

/** `--type=f` as the two words that it means; bash hands it over as three. */
export function splitFlagValues(words: readonly string[]): string[] {
  const parts = words.flatMap((word) => {
    const [, flag, value] = /^(--[\w-]+)=(.*)$/su.exec(word) ?? [];
    return flag === undefined || value === undefined ? [word] : [flag, value];
  });
  return parts.flatMap((word, at) => {
    if (word !== "=" || !parts[at - 1]?.startsWith("--")) return [word];
    return at === parts.length - 1 ? [""] : [];
  });
}

/** What may stand at the end of a command line. `words` are those after `memsvc`; the last one is being typed. */
export function completionOf(
  words: readonly string[],
  own: readonly CommandDefinition[],
  entries: readonly OperationEntry[],
  settings: readonly KnownSetting[],
): Completion {
  if (words[0] === "help" && words.length > 1) return completionOf(words.slice(1), own, entries, settings);
  const commands = [
    ...own.filter(({ hidden }) => hidden !== true).map(ownKnown),
    ...entries.flatMap(operationKnown),
  ];
  const typed = words.at(-1) ?? "";
  const before = words.slice(0, -1);
  const named = plainWords(before, commands);
  const command = longestMatch(commands, named);
  const previous = before.at(-1) ?? "";
  if (globalWithValue.has(previous.replace(/^--/u, ""))) return list([]);
  const flag = command?.flags.find(({ name, takesValue }) => takesValue && previous === `--${name}`);
  const stored = (field: string): Completion => {
    const names = storedNamesFor(command?.words.join(" ") ?? "", field);
    return names === undefined ? list([]) : { kind: "stored", names };
  };
  if (flag !== undefined) return flag.choices.length > 0 ? list(flag.choices) : stored(flag.name);
  if (typed.startsWith("-")) {
    return list(
      [...(command?.flags.map(({ name }) => name) ?? []), ...globalFlags].map((name) => `--${name}`),
    );
  }
  const next = commands
    .filter((one) => named.length < one.words.length && named.every((word, at) => one.words[at] === word))
    .map((one) => one.words[named.length] ?? "");
  if (next.length > 0) return list([...new Set(next)]);
  if (command === undefined) return list([]);
  const at = named.length - command.words.length;
  const place = Math.min(at, command.positionals.length - 1);
  const { field, choices = [] } = command.positionals[place] ?? {};
  if (choices.length > 0) return list(at === place ? choices : []);
  if (field === "key") return list(settings.map(({ name }) => name));
  if (field === "value") {
    const key = named.at(command.words.length)?.toUpperCase();
    return list(settings.find(({ name }) => name === key)?.choices ?? []);
  }
  if (field === "shell") return list(["bash", "zsh", "fish"]);
  if (field === "name" && command.words[0] === "models") return list(pinnedModels.map(({ name }) => name));
  if (field === "agent") return list(agents.map(({ name }) => name));
  return field === undefined ? list([]) : stored(field);
}

function list(words: readonly string[]): Completion {
  return { kind: "words", words };
}

function ownKnown({ command, flags }: CommandDefinition): Known {
  return {
    words: wordsOf(command).split(" "),
    positionals: fieldsOf(command),
    flags: flags.map(ownFlag),
  };
}

function ownFlag({ form, choices = [] }: FlagForm): KnownFlag {
  const name = form.replace(/^--/u, "").replace(/ .*$/u, "");
  return { name, takesValue: form.includes("<"), choices };
}

function operationKnown({ id, command }: OperationEntry): Known[] {
  if (command === undefined) return [];
  const flags = command.flags.map(({ name, kind, choices }) => ({
    name,
    takesValue: kind !== "boolean",
    choices,
  }));
  const extra = id === "search.smart" ? searchFlags.map(ownFlag) : [];
  return [
    {
      words: wordsOf(command.usage).split(" "),
      positionals: command.positionals,
      flags: [...flags, ...extra],
    },
  ];
}

function fieldsOf(usage: string): { field: string }[] {
  return [...usage.matchAll(/[<[](\w+)/gu)].map(([, field = ""]) => ({ field }));
}

/** The words of a line without flags and their values. */
function plainWords(words: readonly string[], commands: readonly Known[]): string[] {
  const withValue = new Set([
    ...globalWithValue,
    ...commands.flatMap(({ flags }) => flags.filter(({ takesValue }) => takesValue).map(({ name }) => name)),
  ]);
  return words.filter((word, at) => {
    if (word.startsWith("-")) return false;
    const previous = words[at - 1] ?? "";
    return !(previous.startsWith("--") && withValue.has(previous.slice(2)));
  });
}

function longestMatch(commands: readonly Known[], named: readonly string[]): Known | undefined {
  return commands
    .filter(({ words }) => words.every((word, at) => named[at] === word))
    .sort((a, b) => b.words.length - a.words.length)[0];
}

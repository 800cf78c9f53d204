import type { SettingDefinition } from "../../config/setting.ts";
import { findSetting, settingsTable } from "../../config/settings-table.ts";
import { pinnedModels } from "../../embedding/models/pinned.ts";
import { optionName, positionalFields, wordsOf } from "../../operation/command-syntax.ts";
import type { CommandDefinition, FlagForm } from "../command.ts";
import { ownCommands } from "../commands/table.ts";
import { agents } from "../connect/agents.ts";
import { globalFlags } from "../flags/global-flags.ts";
import { storedNamesFor } from "../names/names-for-field.ts";
import type { StoredNames } from "../names/stored-names.ts";
import type { OperationEntry, Positional } from "../operations/operation-entry.ts";
import { operationTable } from "../operations/operations.generated.ts";
import { searchFlags } from "../search/search-variants.ts";
import { completionFiles } from "./completion-scripts.ts";

type Completion =
  | { readonly kind: "words"; readonly words: readonly string[] }
  | { readonly kind: "stored"; readonly names: StoredNames };

interface KnownFlag extends Pick<FlagForm, "choices"> {
  readonly name: string;
  readonly takesValue: boolean;
}

interface Known {
  readonly words: readonly string[];
  readonly positionals: readonly Pick<Positional, "field" | "choices">[];
  readonly flags: readonly KnownFlag[];
}

const ofEveryCommand: readonly KnownFlag[] = [
  ...globalFlags.map(ownFlag),
  { name: "help", takesValue: false },
];

/** Splits `--type=f` into flag and value. */
export function splitFlagValues(words: readonly string[]): string[] {
  return words.flatMap((word) => {
    const [, flag, value] = /^(--[\w-]+)=(.*)$/su.exec(word) ?? [];
    return flag === undefined || value === undefined ? [word] : [flag, value];
  });
}

/** The global flags before the last word that decide which store is asked, under commander's names for them. */
export function storeFlags(words: readonly string[]): Readonly<Record<string, string | boolean>> {
  const before = words.slice(0, -1);
  const valued = before.flatMap((word, at) => {
    const name = /^--(home|url|secret-file)$/u.exec(word)?.[1];
    const value = before[at + 1];
    return name === undefined || value === undefined ? [] : [[optionName(name), value] as const];
  });
  return { ...Object.fromEntries(valued), ...(before.includes("--offline") ? { offline: true } : {}) };
}

/** Candidates for the last word of a command line, which is being typed. `words` are those after `memsvc`. */
export function completionOf(words: readonly string[]): Completion {
  if (words[0] === "help" && words.length > 1) return completionOf(words.slice(1));
  const commands = [
    ...ownCommands.filter(({ hidden }) => hidden !== true).map(ownKnown),
    ...Object.values<OperationEntry>(operationTable).flatMap(operationKnown),
  ];
  const typed = words.at(-1) ?? "";
  const before = words.slice(0, -1);
  const named = plainWords(before, commands);
  const command = longestMatch(commands, named);
  const previous = before.at(-1) ?? "";
  const isBefore = ({ name, takesValue }: KnownFlag) => takesValue && previous === `--${name}`;
  if (ofEveryCommand.some(isBefore)) return list([]);
  const flag = command?.flags.find(isBefore);
  if (command !== undefined && flag !== undefined)
    return flag.choices === undefined ? stored(command, flag.name) : list(flag.choices);
  if (typed.startsWith("-")) {
    return list([...(command?.flags ?? []), ...ofEveryCommand].map(({ name }) => `--${name}`));
  }
  const next = commands
    .filter((one) => named.length < one.words.length && named.every((word, at) => one.words[at] === word))
    .map((one) => one.words[named.length] ?? "");
  if (next.length > 0) return list([...new Set(next)]);
  return command === undefined ? list([]) : argumentCompletion(command, named);
}

/** Candidates for the next positional argument of a command. */
function argumentCompletion(command: Known, named: readonly string[]): Completion {
  const at = named.length - command.words.length;
  const place = Math.min(at, command.positionals.length - 1);
  const { field, choices } = command.positionals[place] ?? {};
  if (field === undefined) return list([]);
  if (choices !== undefined) return list(at === place ? choices : []);
  if (field === "value") return list(valuesOf(named[command.words.length]));
  if (field === "name" && command.words[0] === "models") return list(pinnedModels.map(({ name }) => name));
  const words = fixedWords[field];
  return words === undefined ? stored(command, field) : list(words());
}

/** The words of arguments that are not names in the store, by field. */
const fixedWords: Readonly<Record<string, () => readonly string[]>> = {
  key: () => settingsTable.map(({ name }) => name),
  shell: () => Object.keys(completionFiles),
  agent: () => agents.map(({ name }) => name),
};

function valuesOf(settingName = ""): readonly string[] {
  const setting: SettingDefinition | undefined = findSetting(settingName.toUpperCase());
  if (setting?.kind === "boolean") return ["true", "false"];
  return setting?.kind === "enum" ? setting.values : [];
}

function stored(command: Known, field: string): Completion {
  const names = storedNamesFor(command.words.join(" "), field);
  return names === undefined ? list([]) : { kind: "stored", names };
}

function list(words: readonly string[]): Completion {
  return { kind: "words", words };
}

function ownKnown({ command, flags }: CommandDefinition): Known {
  return {
    words: wordsOf(command).split(" "),
    positionals: positionalFields(command),
    flags: flags.map(ownFlag),
  };
}

function ownFlag({ form, ...told }: FlagForm): KnownFlag {
  const name = /--([\w-]+)/u.exec(form)?.[1] ?? "";
  return { ...told, name, takesValue: form.includes("<") };
}

function operationKnown({ id, command }: OperationEntry): Known[] {
  if (command === undefined) return [];
  const flags = command.flags.map((flag) => ({ ...flag, takesValue: flag.kind !== "boolean" }));
  const extra = id === "search.smart" ? searchFlags.map(ownFlag) : [];
  return [
    {
      words: wordsOf(command.usage).split(" "),
      positionals: command.positionals,
      flags: [...flags, ...extra],
    },
  ];
}

/** The words without flags and their values. */
function plainWords(words: readonly string[], commands: readonly Known[]): string[] {
  const flags = [...ofEveryCommand, ...commands.flatMap((command) => command.flags)];
  const withValue = new Set(flags.filter(({ takesValue }) => takesValue).map(({ name }) => name));
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

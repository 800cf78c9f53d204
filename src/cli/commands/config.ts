import { existsSync } from "node:fs";
import { isatty } from "node:tty";
import { changeConfigFile, readConfigFile, refusePipe } from "../../config/config-file.ts";
import { isSetInEnvFile, setInEnvFile, unsetInEnvFile } from "../../config/env-file.ts";
import { configFile } from "../../config/home.ts";
import { readValue } from "../../config/read-value.ts";
import type { SettingDefinition } from "../../config/setting.ts";
import { findSetting, needsRestart, type Settings, settingsTable } from "../../config/settings-table.ts";
import { shownUrl } from "../../net/shown-url.ts";
import { MemsvcError } from "../../operation/errors.ts";
import { didYouMean } from "../../text/similar-names.ts";
import type { CommandContext, CommandRun } from "../command.ts";
import { storeHome } from "../location/store-home.ts";
import { nothingChanged } from "../render/dry-run.ts";
import { printJson } from "../render/print-json.ts";
import { jsonLine } from "../render/text.ts";
import { hangingIndent } from "../render/wrap-lines.ts";
import { password } from "../terminal/prompts.ts";
import { readStdinText } from "../terminal/stdin.ts";

const hidden = "********";

export const list: CommandRun = async (context, _positional, flags) => {
  const { settings, origins } = context.configuration();
  const rows = settingsTable
    .map((definition) => ({
      key: definition.name,
      value: shown(definition, settings),
      origin: origins[definition.name],
      meaning: definition.description,
      whenUnset: "defaultText" in definition ? definition.defaultText : undefined,
    }))
    .filter(({ origin }) => flags.changed !== true || origin !== "default");
  const { terminal, globals } = context;
  const { print, paint, isForPeople, columns } = terminal;
  if (globals.json) printJson(context, { settings: rows }, rows);
  else if (rows.length === 0) terminal.say("every setting is at its default");
  else
    for (const { key, value, origin, meaning, whenUnset } of rows) {
      const isTold = isForPeople && value === undefined && whenUnset !== undefined;
      print(`${key}=${value ?? ""}  ${paint.dim(`(${origin}${isTold ? `: ${whenUnset}` : ""})`)}`);
      if (isForPeople) print(paint.dim(hangingIndent("  ", meaning, columns)));
    }
  return 0;
};

export const get: CommandRun = async (context, [key]) => {
  const definition = known(key);
  const value = shown(definition, context.configuration().settings);
  if (context.globals.json) context.terminal.print(jsonLine({ key: definition.name, value: value ?? null }));
  else {
    context.terminal.print(value ?? "");
    if (context.terminal.isForPeople) context.terminal.say(definition.description);
  }
  return 0;
};

export const set: CommandRun = async (context, [key, given], flags) => {
  const definition = known(key);
  if (definition.kind !== "secret" && given === undefined) {
    throw new MemsvcError("invalid_input", `no value for ${definition.name}`, {
      hint: `to reset it to its default: memsvc config unset ${definition.name}`,
    });
  }
  const value = definition.kind === "secret" ? await secretValue(context, definition, given) : String(given);
  const read = readValue(definition, value);
  const problem = read.kind === "invalid" ? read.problem : read.warning?.replace(/, and counts as .*$/u, "");
  if (problem !== undefined)
    throw new MemsvcError("invalid_input", `${definition.name} ${problem}`, { hint: definition.description });
  return write(context, definition, read.kind === "unset" ? "" : value, flags.dryRun === true);
};

export const unset: CommandRun = async (context, [key], flags) =>
  write(context, known(key), "", flags.dryRun === true);

/** Writes a value to the config file; an empty value removes the setting. */
async function write(
  context: CommandContext,
  definition: SettingDefinition,
  value: string,
  isDryRun: boolean,
): Promise<number> {
  const { terminal, globals } = context;
  const { name } = definition;
  const home = storeHome(context.globals);
  const file = configFile(home);
  const reset = value.trim() === "";
  const notSet = `${name} is not set in ${file}; ${nothingChanged}`;
  if (isDryRun) {
    refusePipe(home);
    const changed = !reset || isSetInEnvFile(readConfigFile(home) ?? "", name);
    if (globals.json) terminal.print(jsonLine({ key: name, file, reset, changed, dryRun: true }));
    else if (changed) tellDryRun(context, file, name, reset);
    else terminal.say(notSet);
    return 0;
  }
  let isThere = false;
  // Removing a setting that is not there must not create the home.
  if (!reset || existsSync(file))
    await changeConfigFile(home, (text) => {
      isThere = isSetInEnvFile(text, name);
      if (!reset) return setInEnvFile(text, name, value);
      return isThere ? unsetInEnvFile(text, name) : undefined;
    });
  const changed = !reset || isThere;
  if (globals.json) terminal.print(jsonLine({ key: name, file, reset, changed }));
  else if (!changed) terminal.say(notSet);
  else for (const line of writtenLines(definition, file, reset)) terminal.say(line);
  return 0;
}

function writtenLines(definition: SettingDefinition, file: string, isReset: boolean): string[] {
  const { name } = definition;
  const taken = needsRestart(definition)
    ? "a running daemon uses it after a restart: memsvc daemon restart"
    : "commands and hooks use it at once, a running memsvc mcp after its next start";
  if ((process.env[name] ?? "").trim() === "")
    return [isReset ? `${name} is at its default again` : `${name} is set in ${file}`, taken];
  return [
    isReset ? `${name} is no longer set in ${file}` : `${name} is set in ${file}`,
    "the environment here also sets it, and takes precedence over the file",
    taken,
  ];
}

function tellDryRun({ terminal }: CommandContext, file: string, key: string, isReset: boolean): void {
  terminal.print(isReset ? `would put ${key} back to its default in ${file}` : `would set ${key} in ${file}`);
  terminal.say(nothingChanged);
}

export const path: CommandRun = async (context) => {
  const file = configFile(storeHome(context.globals));
  context.terminal.print(context.globals.json ? jsonLine({ path: file }) : file);
  return 0;
};

/** Reads a secret. It must never be on the command line, because the history and the process list would show it. */
async function secretValue(
  { terminal }: CommandContext,
  { name }: SettingDefinition,
  given: unknown,
): Promise<string> {
  if (given === "") return "";
  if (given !== undefined) {
    throw new MemsvcError(
      "invalid_input",
      "a secret is never an argument: others could read it in the process list",
      {
        hint: "pipe it in, or leave it out and enter it when asked",
      },
    );
  }
  // What is typed would be shown, and stay in the terminal's history.
  if (!terminal.isInteractive && isatty(0))
    throw new MemsvcError("invalid_input", `${name} is a secret, and there is nobody to be asked for it`, {
      hint: `pipe it in: memsvc config set ${name} < secret.txt`,
    });
  const answer = terminal.isInteractive
    ? await password({ message: "The secret" })
    : (await readStdinText()).trim();
  if (typeof answer !== "string") throw new MemsvcError("interrupted", "nothing was changed");
  if (answer.trim() !== "") return answer;
  // The command that should have printed the secret may have failed, and an empty secret would leave the daemon open.
  throw new MemsvcError("invalid_input", `no value for ${name}; nothing was changed`, {
    hint: `to remove it: memsvc config unset ${name}`,
  });
}

function known(key: unknown): SettingDefinition {
  const definition = findSetting(String(key).trim().toUpperCase());
  if (definition !== undefined) return definition;
  if (String(key).trim().toUpperCase() === "MEMSVC_HOME")
    throw new MemsvcError(
      "invalid_input",
      "MEMSVC_HOME cannot be set in the config file, because that file is in it",
      {
        hint: "set it in the environment, or give --home",
      },
    );
  const names = settingsTable.map(({ name }) => name);
  throw new MemsvcError("not_found", `there is no setting ${String(key)}`, {
    hint: didYouMean(String(key).trim(), names) ?? "see them all: memsvc config list",
  });
}

function shown(definition: SettingDefinition, settings: Settings): string | undefined {
  const value: unknown = Reflect.get(settings, definition.property);
  if (value === undefined) return undefined;
  if (definition.kind === "secret") return hidden;
  // Hides the password in an address.
  return Array.isArray(value) ? value.join(",") : shownUrl(String(value));
}

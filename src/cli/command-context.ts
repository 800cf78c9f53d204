import type { OptionValues } from "commander";
import { type Configuration, readConfiguration } from "../config/configuration.ts";
import type { OpenCaller } from "./callers/caller.ts";
import { openCaller } from "./callers/open-caller.ts";
import type { CommandContext, GlobalFlags } from "./command.ts";
import { refuseBlankPlaces } from "./flags/blank-flags.ts";
import { inSameStore } from "./location/same-store.ts";
import { workingDirectory } from "./location/working-directory.ts";
import { openTerminal } from "./terminal/terminal.ts";

/** Reads the global flags; settings and caller are opened when a command first needs them. Error: invalid_input. */
export function openContext(options: OptionValues): CommandContext {
  const globals = globalFlagsIn(options);
  refuseBlankPlaces(globals);
  let configuration: Configuration | undefined;
  let caller: Promise<OpenCaller> | undefined;
  const terminal = openTerminal({
    color: options.color !== false,
    input: options.input !== false,
    quiet: globals.quiet,
  });
  const context: CommandContext = {
    terminal: { ...terminal, say: (text) => terminal.say(inSameStore(text, globals)) },
    globals,
    cwd: workingDirectory(),
    configuration: () => {
      configuration ??= readConfiguration({ home: globals.home });
      return configuration;
    },
    caller: () => {
      caller ??= openCaller({ ...globals, ...context.configuration(), cwd: context.cwd });
      return caller;
    },
    close: async () => {
      if (caller !== undefined) await (await caller.catch(() => undefined))?.close();
    },
  };
  return context;
}

export function globalFlagsIn(options: OptionValues): GlobalFlags {
  const text = (name: string): string | undefined =>
    typeof options[name] === "string" ? options[name] : undefined;
  return {
    json: options.json === true || options.ndjson === true,
    ndjson: options.ndjson === true,
    quiet: options.quiet === true,
    yes: options.yes === true,
    offline: options.offline === true,
    home: text("home"),
    url: text("url"),
    secretFile: text("secretFile"),
  };
}

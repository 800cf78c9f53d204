import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Settings } from "../../config/load.ts";
import { chooseEmbedding, localModelName } from "../../embedding/choice.ts";
import { chooseImageModel, defaultImageModel } from "../../embedding/images/choose-image-model.ts";
import {
  findModel,
  folderBytes,
  installedNames,
  isModelName,
  type ModelFiles,
  modelsFolder,
} from "../../embedding/models/folder.ts";
import { installFrom } from "../../embedding/models/install.ts";
import { pinnedModel, pinnedModels } from "../../embedding/models/pinned.ts";
import { verifyModel } from "../../embedding/models/verify.ts";
import { errorTable, MemsvcError } from "../../operation/errors.ts";
import type { CommandContext, CommandRun } from "../command.ts";
import { installModel, modelSizeBytes } from "../models/install-model.ts";
import { nothingChanged } from "../render/dry-run.ts";
import { printJson } from "../render/print-json.ts";
import { shownBytes } from "../render/quantity.ts";
import { jsonLine } from "../render/text.ts";
import { confirmed } from "../terminal/confirm.ts";

interface ListedModel {
  readonly name: string;
  readonly installed: boolean;
  readonly inUse: boolean;
  readonly provider: ModelFiles["runtime"];
  readonly dimensions: number | null;
  readonly bytes: number;
  readonly license: string | null;
  readonly folder: string | null;
}

export const list: CommandRun = async (context) => {
  const { home, settings } = context.configuration();
  const chosen = localModelName(settings);
  const ofImages = chooseImageModel(home)?.name ?? defaultImageModel;
  const hindrance = chosen === undefined ? undefined : hindranceOf(home, chosen, settings);
  const used = new Set([
    ...(chosen === undefined || hindrance !== undefined ? [] : [chosen]),
    ...(settings.imageEmbeddings ? [ofImages] : []),
  ]);
  const known = [...pinnedModels.map(({ name }) => name), ...installedNames(home)];
  const names = new Set([...known, ...(chosen === undefined ? [] : [chosen]), ...used, defaultImageModel]);
  const models = [...names].map((name) => listed(home, name, used.has(name), settings.embeddingProvider));
  const { terminal, globals } = context;
  if (globals.json) {
    printJson(context, { models }, models);
    return 0;
  }
  for (const { name, installed, inUse, provider, dimensions, bytes } of models) {
    const state = installed ? `${shownBytes(bytes)}, ${dimensions} dimensions` : "not installed";
    const use = inUse ? (installed ? ", in use" : ", wanted") : "";
    terminal.print(`${terminal.paint.bold(name)}  ${provider}, ${state}${use}`);
  }
  if (chosen === undefined)
    terminal.say(`vectors come from ${settings.embeddingProvider}, not from a model here`);
  if (hindrance !== undefined) terminal.say(`there are no vectors: ${hindrance}`);
  return 0;
};

/** Why the model that the settings name is not used, although it is installed. */
function hindranceOf(home: string, name: string, settings: Settings): string | undefined {
  if (findModel(home, name) === undefined) return undefined;
  const choice = chooseEmbedding(home, settings);
  return choice.kind === "none" ? choice.reason : undefined;
}

export const pull: CommandRun = async (context, [given], flags) => {
  const { home } = context.configuration();
  const { terminal } = context;
  const name = nameOf(context, given);
  if (typeof flags.from === "string") {
    const folder = await installFrom(home, name, flags.from);
    return done(context, name, folder);
  }
  const model = pinnedModel(name);
  if (model === undefined) {
    throw new MemsvcError("invalid_input", `the checksums of ${name} are not known, so it is not fetched`, {
      hint: `download it yourself, then: memsvc models pull ${name} --from <dir>`,
    });
  }
  const found = findModel(home, name);
  if (found !== undefined && (await verifyModel(found.folder, name)).problems.length === 0) {
    terminal.say(`${name} is installed already`);
    return done(context, name, found.folder);
  }
  return done(context, name, await installModel(context, model));
};

export const verify: CommandRun = async (context, [given]) => {
  const { home } = context.configuration();
  const { terminal, globals } = context;
  const name = nameOf(context, given);
  const { folder } = installed(home, name);
  const { isKnown, problems } = await verifyModel(folder, name);
  if (globals.json)
    terminal.print(jsonLine({ name, folder, verified: isKnown && problems.length === 0, problems }));
  else if (!isKnown) terminal.print(`${name}: no checksums to compare with; it was not installed by memsvc`);
  else if (problems.length === 0) terminal.print(`${name}: all files are intact`);
  else for (const problem of problems) terminal.print(problem);
  const source = pinnedModel(name) === undefined ? " --from <dir>" : "";
  if (problems.length > 0) terminal.say(`hint: fetch it again: memsvc models pull ${name}${source}`);
  return problems.length > 0 ? 1 : 0;
};

export const remove: CommandRun = async (context, [given], flags) => {
  const { home } = context.configuration();
  const { terminal, globals } = context;
  const name = nameOf(context, given);
  const folder = join(modelsFolder(home), name);
  if (!isModelName(name) || !existsSync(folder)) throw notInstalled(name);
  const bytes = folderBytes(folder);
  if (flags.dryRun === true) {
    if (globals.json) terminal.print(jsonLine({ name, folder, bytes, removed: false, dryRun: true }));
    else {
      terminal.print(`would remove ${folder}, ${shownBytes(bytes)}`);
      terminal.say(nothingChanged);
    }
    return 0;
  }
  const question = `Remove ${name} (${shownBytes(bytes)})?`;
  if (terminal.isInteractive && !globals.json && !(await confirmed(context, question)))
    return errorTable.interrupted.exit;
  rmSync(folder, { recursive: true });
  if (globals.json) terminal.print(jsonLine({ name, folder, bytes, removed: true }));
  else terminal.say(`removed ${name}, ${shownBytes(bytes)}`);
  return 0;
};

function done({ terminal, globals }: CommandContext, name: string, folder: string): number {
  terminal.print(globals.json ? jsonLine({ name, folder, installed: true }) : folder);
  return 0;
}

/** The model that is given, or the one that the settings name. */
function nameOf(context: CommandContext, given: unknown): string {
  if (typeof given === "string") return given;
  const { settings } = context.configuration();
  const name = localModelName(settings);
  if (name !== undefined) return name;
  throw new MemsvcError(
    "invalid_input",
    `the provider ${settings.embeddingProvider} has no model on this machine`,
    {
      hint: "name one: memsvc models list",
    },
  );
}

function installed(home: string, name: string): ModelFiles {
  const found = findModel(home, name);
  if (found === undefined) throw notInstalled(name);
  return found;
}

function notInstalled(name: string): MemsvcError {
  return new MemsvcError("not_found", `the model ${name} is not installed`, {
    hint: "see what is: memsvc models list",
  });
}

function listed(home: string, name: string, inUse: boolean, provider: string): ListedModel {
  const found = findModel(home, name);
  const pinned = pinnedModel(name);
  const runtime = inUse && provider === "static" ? "static" : "local";
  const bytesToCome = pinned === undefined ? 0 : modelSizeBytes(pinned);
  return {
    name,
    installed: found !== undefined,
    inUse,
    provider: found?.runtime ?? (name === defaultImageModel ? "image" : runtime),
    dimensions: found?.dimensions ?? null,
    bytes: found === undefined ? bytesToCome : folderBytes(found.folder),
    license: pinned?.license ?? null,
    folder: found?.folder ?? null,
  };
}

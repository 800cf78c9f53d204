import { copyFileSync, existsSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { MemsvcError, messageOf } from "../../operation/errors.ts";
import { sha256OfFile } from "../../paths/file-checksum.ts";
import { isOrdinaryFile } from "../../paths/is-ordinary-file.ts";
import { makeFolder } from "../../paths/make-folder.ts";
import { renameOverSync } from "../../paths/rename-over.ts";
import { whileLocked } from "../../paths/while-locked.ts";
import {
  type InstalledRecord,
  isModelName,
  type ModelFiles,
  modelsFolder,
  networkPaths,
  quantisedTable,
  readFiles,
  recordName,
} from "./folder.ts";
import { type PinnedFile, pinnedModel } from "./pinned.ts";

/** Files that are copied, if they exist, of a model whose checksums are not known beforehand. */
const possibleFiles = [
  "config.json",
  "tokenizer.json",
  "tokenizer_config.json",
  "special_tokens_map.json",
  "model.safetensors",
  "preprocessor_config.json",
  ...["model", "text_model", "vision_model"].flatMap(networkPaths),
  "README.md",
  "LICENSE",
];

/** The folder in which a model's files are gathered before they are installed. */
export function stagingFolder(home: string, name: string): string {
  return join(modelsFolder(home), `.${name}.partial`);
}

/** Runs the work while no other process installs the same model. Errors: conflict. */
export async function withModelLock<T>(home: string, name: string, work: () => Promise<T>): Promise<T> {
  const outcome = await whileLocked(join(modelsFolder(home), `.${name}.lock`), work);
  if (outcome.kind === "done") return outcome.result;
  throw new MemsvcError("conflict", `another process is installing ${name} at this moment`, {
    hint: "wait for it to end: memsvc models list",
  });
}

/**
 * Installs a model from a folder, or from the folder of one of its files, without a network. Files whose checksums are
 * known must have them; for others the checksums are recorded, to verify them later. Errors: invalid_input, conflict.
 */
export async function installFrom(home: string, name: string, given: string): Promise<string> {
  if (!isModelName(name)) throw new MemsvcError("invalid_input", `${name} is not a valid name for a model`);
  const source = sourceFolder(given, name);
  return withModelLock(home, name, async () => {
    const staging = stagingFolder(home, name);
    rmSync(staging, { recursive: true, force: true });
    const files = pinnedModel(name)?.files ?? (await describeFiles(source));
    const another = `if it is another model than ${name}, say its name: memsvc models pull <name> --from <path>`;
    for (const file of files) await copyChecked(source, staging, file, another);
    const found = readFiles(staging);
    if (found === undefined) {
      rmSync(staging, { recursive: true, force: true });
      throw new MemsvcError("invalid_input", `${source} holds no embedding model`, {
        hint: "it needs config.json, tokenizer.json and model.safetensors, or onnx/model_quantized.onnx with tokenizer_config.json, or for images onnx/text_model_quantized.onnx and onnx/vision_model_quantized.onnx with it",
      });
    }
    await tryOut(name, found);
    return installStaged(home, name, files);
  });
}

/** Loads the table of a static model as a check. Error: invalid_input, after the gathered files were deleted. */
async function tryOut(name: string, { runtime, folder, weights, dimensions }: ModelFiles): Promise<void> {
  if (runtime !== "static") return;
  const { StaticProvider } = await import("../static/static-provider.ts");
  const model = { provider: runtime, name, dimensions, fingerprint: name };
  try {
    await StaticProvider.open({ model, folder, weights });
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw new MemsvcError("invalid_input", messageOf(error), {
      hint: "nothing was installed; download its files again",
      cause: error,
    });
  }
}

/** Moves the gathered files to their place as a whole, replacing a model that was there. */
export function installStaged(home: string, name: string, files: readonly PinnedFile[]): string {
  const staging = stagingFolder(home, name);
  const target = join(modelsFolder(home), name);
  const record: InstalledRecord = { name, installedAt: new Date().toISOString(), files: [...files] };
  writeFileSync(join(staging, recordName), `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 });
  const old = `${staging}.old`;
  rmSync(old, { recursive: true, force: true });
  if (existsSync(target)) renameOverSync(target, old);
  renameOverSync(staging, target);
  rmSync(old, { recursive: true, force: true });
  return target;
}

/** The given folder, or the model's own in it, or that of the given file. Error: invalid_input. */
function sourceFolder(given: string, name: string): string {
  const path = resolve(given);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) throw new MemsvcError("invalid_input", `there is no ${path}`);
  if (found.isDirectory()) {
    const within = join(path, name);
    return !existsSync(join(path, "config.json")) && existsSync(within) ? within : path;
  }
  const folder = dirname(path);
  return basename(folder) === "onnx" ? dirname(folder) : folder;
}

async function describeFiles(source: string): Promise<PinnedFile[]> {
  const files: PinnedFile[] = [];
  const table = quantisedTable(source);
  for (const path of table === undefined ? possibleFiles : [...possibleFiles, table]) {
    const file = foundIn(source, path);
    if (file === undefined) continue;
    files.push({ path, bytes: statSync(file).size, sha256: await sha256OfFile(file) });
  }
  return files;
}

async function copyChecked(
  source: string,
  staging: string,
  { path, bytes, sha256 }: PinnedFile,
  hint: string,
): Promise<void> {
  const file = foundIn(source, path);
  if (file === undefined)
    throw new MemsvcError("invalid_input", `${join(source, path)} is missing`, { hint });
  const target = join(staging, path);
  makeFolder(dirname(target));
  copyFileSync(file, target);
  // The copy is checked and not the source, which may change meanwhile.
  if (statSync(target).size === bytes && (await sha256OfFile(target)) === sha256) return;
  rmSync(staging, { recursive: true, force: true });
  throw new MemsvcError("invalid_input", `${file} is not the file that was expected: its checksum differs`, {
    hint: `it has ${bytes} bytes and the SHA-256 ${sha256}; ${hint}`,
  });
}

/** A file of the source, at its path or at the top: files are often passed on without their folders. */
function foundIn(source: string, path: string): string | undefined {
  return [join(source, path), join(source, basename(path))].find(isOrdinaryFile);
}

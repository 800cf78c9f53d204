import { existsSync, readdirSync, readFileSync, statSync, utimesSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import * as z from "zod";
import { isOrdinaryFile } from "../../paths/is-ordinary-file.ts";
import { statIfExists } from "../../paths/stat-if-exists.ts";
import { packageFolder } from "../../store/migrations.ts";
import { isSystemError } from "../../system/is-system-error.ts";
import { sha256 } from "../../system/sha256.ts";

/** File that installing a model writes beside the model's files. */
export const recordName = "installed.json";

export const InstalledRecord = z.object({
  name: z.string(),
  installedAt: z.string(),
  files: z.array(z.object({ path: z.string(), bytes: z.number().int(), sha256: z.string() })),
});
export type InstalledRecord = z.infer<typeof InstalledRecord>;

/**
 * A model's files in one of the known layouts, and the runtime for them; `image` stands for the two networks of CLIP.
 */
export interface ModelFiles {
  readonly runtime: "local" | "static" | "image";
  readonly folder: string;
  /** The file with the model's weights. */
  readonly weights: string;
  readonly dimensions: number;
}

const ConfigFile = z.object({
  model_type: z.string().optional(),
  hidden_size: z.number().int().positive().optional(),
  hidden_dim: z.number().int().positive().optional(),
  projection_dim: z.number().int().positive().optional(),
});

export function modelsFolder(home: string): string {
  return join(home, "models");
}

/** Whether a name may stand for a folder below `models/`. */
export function isModelName(name: string): boolean {
  return /^\w[\w.-]{0,127}$/u.test(name);
}

/** Finds a model: at an absolute path, or by its name in the home or in the installed package. */
export function findModel(home: string, name: string): ModelFiles | undefined {
  if (isAbsolute(name)) return readFiles(name);
  if (!isModelName(name)) return undefined;
  return readFiles(join(modelsFolder(home), name)) ?? readFiles(join(packageFolder(), "models", name));
}

/** The model in a folder; undefined when there is no complete one. */
export function readFiles(folder: string): ModelFiles | undefined {
  const present = (path: string) => isOrdinaryFile(join(folder, path));
  if (!present("tokenizer.json") || !present("config.json")) return undefined;
  const config = ConfigFile.safeParse(parsed(join(folder, "config.json"))).data;
  const ofImages = networkPaths("vision_model").find(present);
  if (ofImages !== undefined) {
    const isWhole = networkPaths("text_model").some(present) && present("tokenizer_config.json");
    const dimensions = config?.projection_dim;
    if (!isWhole || dimensions === undefined) return undefined;
    return { runtime: "image", folder, weights: ofImages, dimensions };
  }
  // Such a model is often published with a network, too, whose inputs are not those of the `local` provider's models.
  const isTable = config?.model_type === "model2vec";
  const network = isTable ? undefined : networkPaths("model").find(present);
  const weights = network ?? (present("model.safetensors") ? "model.safetensors" : quantisedTable(folder));
  if (weights === undefined || (network !== undefined && !present("tokenizer_config.json"))) return undefined;
  const dimensions = config?.hidden_size ?? config?.hidden_dim;
  if (dimensions === undefined) return undefined;
  return { runtime: network === undefined ? "static" : "local", folder, weights, dimensions };
}

/** The paths at which a network may be in a folder, the quantized one first. */
export function networkPaths(name: string): readonly [string, string] {
  return [`onnx/${name}_quantized.onnx`, `onnx/${name}.onnx`];
}

/** Version of a model's weights: from the record of their installation, or from the file if it may be another one. */
export function weightsVersion({ folder, weights }: ModelFiles): string {
  const [path, recordPath] = [join(folder, weights), join(folder, recordName)];
  const recorded = readRecord(folder)?.files.find((file) => file.path === weights);
  if (recorded !== undefined && isAsInstalled(path, recorded.bytes, recordPath))
    return version(recorded.sha256);
  const checksum = sha256(readFileSync(path));
  // In the copy of a home the record may be the older file; renewed, it saves the next start from reading the weights.
  if (checksum === recorded?.sha256) renew(recordPath);
  return version(checksum);
}

/** Times of modification can be kept by who replaces a file; that of the change of its entry cannot. */
function isAsInstalled(path: string, bytes: number, recordPath: string): boolean {
  const [present, record] = [statIfExists(path), statIfExists(recordPath)];
  if (present === undefined || record === undefined) return false;
  return present.size === bytes && present.ctimeMs <= record.ctimeMs;
}

function version(checksum: string): string {
  return checksum.slice(0, 12);
}

function renew(path: string): void {
  const now = new Date();
  try {
    utimesSync(path, now, now);
  } catch (error) {
    // A home that cannot be written to only starts more slowly.
    if (!isSystemError(error)) throw error;
  }
}

export function readRecord(folder: string): InstalledRecord | undefined {
  return InstalledRecord.safeParse(parsed(join(folder, recordName))).data;
}

/** Names of the folders below `models/` that hold a complete model. */
export function installedNames(home: string): string[] {
  const folder = modelsFolder(home);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => isModelName(name) && readFiles(join(folder, name)) !== undefined)
    .sort();
}

export function folderBytes(folder: string): number {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}

/** The table of a static model in a compact format, under whatever name. */
export function quantisedTable(folder: string): string | undefined {
  return readdirSync(folder).find((name) => name.endsWith(".gge1.bin"));
}

function parsed(file: string): unknown {
  if (!existsSync(file)) return undefined;
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    // An unreadable file counts as missing, and the model as not installed.
    return undefined;
  }
}

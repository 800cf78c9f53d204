import { join } from "node:path";
import { runtimeProblem } from "../local/platform.ts";
import {
  installedNames,
  type ModelFiles,
  modelsFolder,
  readFiles,
  weightsVersion,
} from "../models/folder.ts";

/** What makes vectors of images and of texts that say what is on them. */
export interface ImageModel {
  readonly name: string;
  readonly dimensions: number;
  /** Model and version. Vectors are comparable only with vectors of the same fingerprint. */
  readonly fingerprint: string;
  readonly files: ModelFiles;
}

export const defaultImageModel = "clip-vit-base-patch32";

/** The usual model of images when it is installed, else the first that is; undefined where none can be run. */
export function chooseImageModel(home: string): ImageModel | undefined {
  if (runtimeProblem() !== undefined) return undefined;
  for (const name of [defaultImageModel, ...installedNames(home)]) {
    const files = readFiles(join(modelsFolder(home), name));
    if (files?.runtime !== "image") continue;
    const { dimensions } = files;
    return { name, dimensions, fingerprint: `image/${name}/${dimensions}/${weightsVersion(files)}`, files };
  }
  return undefined;
}

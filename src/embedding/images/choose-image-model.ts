import { join } from "node:path";
import { runtimeProblem } from "../local/platform.ts";
import {
  installedNames,
  type ModelFiles,
  modelsFolder,
  readFiles,
  weightsVersion,
} from "../models/folder.ts";

/** A model that makes comparable vectors of images and of texts that describe them. */
export interface ImageModel {
  readonly name: string;
  readonly dimensions: number;
  /** Model and version. Vectors are comparable only with vectors of the same fingerprint. */
  readonly fingerprint: string;
  readonly files: ModelFiles;
}

export const defaultImageModel = "clip-vit-base-patch32";

/** The default image model if it is installed, else the first installed one; undefined when none can run. */
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

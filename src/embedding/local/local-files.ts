import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { env } from "@xenova/transformers";

/** Arguments that make the model library load files of a folder, and never download any. */
interface LocalFiles {
  readonly name: string;
  readonly options: { local_files_only: true; quantized: boolean };
}

/** Points the model library to a folder from which it will load one network. */
export function localFiles(folder: string, network: string): LocalFiles {
  env.allowRemoteModels = false;
  env.useFSCache = false;
  env.localModelPath = dirname(folder);
  const quantized = existsSync(join(folder, "onnx", `${network}_quantized.onnx`));
  return { name: basename(folder), options: { local_files_only: true, quantized } };
}

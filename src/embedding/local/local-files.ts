import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { env } from "@xenova/transformers";

/** How the model library is told of a folder's files; nothing is ever fetched. */
interface LocalFiles {
  readonly name: string;
  readonly options: { local_files_only: true; quantized: boolean };
}

/** Points the model library to a folder, of which it will read one network. */
export function localFiles(folder: string, network: string): LocalFiles {
  env.allowRemoteModels = false;
  env.useFSCache = false;
  env.localModelPath = dirname(folder);
  const quantized = existsSync(join(folder, "onnx", `${network}_quantized.onnx`));
  return { name: basename(folder), options: { local_files_only: true, quantized } };
}

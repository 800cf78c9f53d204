import type { Settings } from "../../config/load.ts";
import { withoutEndSlashes } from "../../net/without-end-slashes.ts";

/** A file of a model, as it must be. */
export interface PinnedFile {
  /** Path relative to the model's folder, and to its repository. */
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** A model whose files are known byte for byte, so that they can be fetched. */
export interface PinnedModel {
  readonly name: string;
  readonly license: string;
  /** Name of its repository on the model host. */
  readonly repository: string;
  readonly files: readonly PinnedFile[];
}

const publicHost = "https://huggingface.co";

/** Where models are fetched from, without a slash at the end. */
export function modelHostIn({ modelHost = publicHost }: Pick<Settings, "modelHost">): string {
  return withoutEndSlashes(modelHost);
}

export const pinnedModels: readonly PinnedModel[] = [
  {
    name: "all-MiniLM-L6-v2",
    license: "Apache-2.0",
    repository: "Xenova/all-MiniLM-L6-v2",
    files: [
      {
        path: "config.json",
        bytes: 650,
        sha256: "7135149f7cffa1a573466c6e4d8423ed73b62fd2332c575bf738a0d033f70df7",
      },
      {
        path: "tokenizer_config.json",
        bytes: 366,
        sha256: "9261e7d79b44c8195c1cada2b453e55b00aeb81e907a6664974b4d7776172ab3",
      },
      {
        path: "tokenizer.json",
        bytes: 711_661,
        sha256: "da0e79933b9ed51798a3ae27893d3c5fa4a201126cef75586296df9b4d2c62a0",
      },
      {
        path: "onnx/model_quantized.onnx",
        bytes: 22_972_370,
        sha256: "afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1",
      },
    ],
  },
];

export function pinnedModel(name: string): PinnedModel | undefined {
  return pinnedModels.find((model) => model.name === name);
}

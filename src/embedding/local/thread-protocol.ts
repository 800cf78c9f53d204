/** What the embedding thread is started with. */
export interface ThreadSetup {
  /** Processor threads for a model's arithmetic. */
  readonly processors: number;
}

export type ThreadTask =
  | {
      readonly kind: "embed";
      readonly id: number;
      /** Folder of the model's files; loaded at its first text. */
      readonly folder: string;
      readonly texts: readonly string[];
      /** A question is answered before the next batch of documents, and only its first window is read. */
      readonly isQuery: boolean;
    }
  | { readonly kind: "cancel"; readonly id: number }
  /** Gives the memory of a model back; answered when that is done. */
  | { readonly kind: "unload"; readonly id: number; readonly folder: string };

/** `runtime`: no ONNX runtime on this machine. `model`: the files cannot be read. `texts`: these texts failed. */
export type FailureCause = "runtime" | "model" | "texts";

export type ThreadReply =
  | { readonly id: number; readonly chunks: readonly (readonly Float32Array[])[] }
  | { readonly id: number; readonly error: string; readonly cause: FailureCause };

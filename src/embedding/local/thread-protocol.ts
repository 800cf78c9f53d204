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
  | {
      readonly kind: "look";
      readonly id: number;
      /** Folder of the files of a model of images; of its two halves only the one that is needed is loaded. */
      readonly folder: string;
      readonly subject: Subject;
      /** Whether somebody waits for the answer; then it goes before other work. */
      readonly isQuery: boolean;
    }
  | { readonly kind: "cancel"; readonly id: number }
  /** Unloads a model; answered when that is done. */
  | { readonly kind: "unload"; readonly id: number; readonly folder: string };

/** What an image model embeds. */
export type Subject =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "image"; readonly content: Uint8Array; readonly mime: string };

/**
 * `runtime`: no ONNX runtime on this machine. `model`: the files cannot be read. `texts`: these texts failed. `image`:
 * it cannot be decoded.
 */
export type FailureCause = "runtime" | "model" | "texts" | "image";

export type ThreadReply =
  | { readonly id: number; readonly chunks: readonly (readonly Float32Array[])[] }
  | { readonly id: number; readonly error: string; readonly cause: FailureCause };

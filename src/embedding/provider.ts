import type { Settings } from "../config/load.ts";
import { isMemsvcError } from "../operation/errors.ts";

/** An embedding model, and the runtime or vendor that runs it. */
export interface EmbeddingModel {
  readonly provider: Exclude<Settings["embeddingProvider"], "none">;
  readonly name: string;
  readonly dimensions: number;
  /** Model, version and runtime. Vectors are comparable only with vectors of the same fingerprint. */
  readonly fingerprint: string;
}

/**
 * Makes vectors of texts. This is the whole interface of all providers, local and remote; the queue of documents, the
 * storage of vectors and the search know nothing else of them.
 *
 * Errors: `unavailable` when it cannot work at all (no runtime, no readable model, no key that is accepted),
 * `provider_failed` when this call failed; with `extra.refused` when these texts would fail again, with
 * `extra.retryAfterMs` when the provider asks to wait that long.
 */
export interface EmbeddingProvider {
  readonly model: EmbeddingModel;
  /** Unit vectors of each text, in order: one per overlapping chunk, none where the model knows no word of it. */
  embedDocuments(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[][]>;
  /** The unit vector of a question (of its beginning if it is long); undefined when the model knows no word of it. */
  embedQuery(text: string, signal?: AbortSignal): Promise<Float32Array | undefined>;
  close(): Promise<void>;
}

/** Whether a model failed at what it was given, and would fail at it again. */
export function isRefusal(error: unknown): boolean {
  return isMemsvcError(error, "provider_failed") && error.extra.refused === true;
}

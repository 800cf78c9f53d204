import type { Settings } from "../config/load.ts";
import { isMemsvcError } from "../operation/errors.ts";

/** What makes vectors: which model, by which runtime or vendor. */
export interface EmbeddingModel {
  readonly provider: Exclude<Settings["embeddingProvider"], "none">;
  readonly name: string;
  readonly dimensions: number;
  /** Model, version and runtime. Vectors are comparable only with vectors of the same fingerprint. */
  readonly fingerprint: string;
}

/**
 * What makes vectors of texts. Every provider, local or remote, gives this and no more; the queue of documents
 * that wait for vectors, their storage and the search over them know nothing else of it.
 *
 * Errors: `unavailable` when it cannot work at all (no runtime, no readable model, no key that is accepted),
 * `provider_failed` when this call failed; with `extra.refused` when these texts would fail again, with
 * `extra.retryAfterMs` when it asks to be left alone so long.
 */
export interface EmbeddingProvider {
  readonly model: EmbeddingModel;
  /** Unit vectors of each text, in order: one per overlapping chunk, none where the model knows no word of it. */
  embedDocuments(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[][]>;
  /** The unit vector of a question, of its beginning where it is long; undefined when no word of it is known. */
  embedQuery(text: string, signal?: AbortSignal): Promise<Float32Array | undefined>;
  close(): Promise<void>;
}

/** Whether a model failed at what it was given, and would fail at it again. */
export function isRefusal(error: unknown): boolean {
  return isMemsvcError(error, "provider_failed") && error.extra.refused === true;
}

/**
 * What makes vectors of texts. Every provider, local or remote, gives this and no more; the queue of documents
 * that wait for vectors, their storage and the search over them know nothing else of it.
 */
export interface EmbeddingProvider {
  /** Model, version and runtime. Vectors are comparable only with vectors of the same fingerprint. */
  readonly fingerprint: string;
  readonly dimensions: number;
  /** Most tokens that one text may have; longer ones are cut into overlapping chunks before they come here. */
  readonly maxTokens: number;
  /** One unit vector per text, in order. Error: provider_failed, unavailable. */
  embed(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]>;
  close(): Promise<void>;
}

import { MemsvcError } from "../../operation/errors.ts";
import type { EmbeddingModel, EmbeddingProvider } from "../provider.ts";
import { type Chunks, ThreadHost } from "./thread-host.ts";

export interface LocalProviderOptions {
  readonly model: EmbeddingModel;
  /** Folder of the model's files. */
  readonly folder: string;
  /** The built thread. */
  readonly threadFile: string;
  /** After so long without work the model's memory is given back. */
  readonly idleMs?: number;
}

const tenMinutesMs = 600_000;

/** An ONNX model on the thread for models, loaded at the first text and unloaded when nobody asks for long. */
export class LocalProvider implements EmbeddingProvider {
  readonly model: EmbeddingModel;
  readonly #folder: string;
  readonly #threadFile: string;
  readonly #idleMs: number;
  #idle: NodeJS.Timeout | undefined;
  #asked = 0;
  #isLoaded = false;
  #isClosed = false;

  constructor({ model, folder, threadFile, idleMs = tenMinutesMs }: LocalProviderOptions) {
    this.model = model;
    this.#folder = folder;
    this.#threadFile = threadFile;
    this.#idleMs = idleMs;
  }

  /** Whether the model may be in memory. */
  get isLoaded(): boolean {
    return this.#isLoaded;
  }

  async embedDocuments(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[][]> {
    if (texts.length === 0) return [];
    const chunks = await this.#ask(texts, false, signal);
    return chunks.map((vectors) => vectors.map((vector) => this.#checked(vector)));
  }

  async embedQuery(text: string, signal?: AbortSignal): Promise<Float32Array | undefined> {
    const [vectors] = await this.#ask([text], true, signal);
    const vector = vectors?.[0];
    return vector === undefined ? undefined : this.#checked(vector);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#isLoaded) ThreadHost.of(this.#threadFile).cancelAll(this, closed());
    await this.#unload();
  }

  async #ask(texts: readonly string[], isQuery: boolean, signal: AbortSignal | undefined): Promise<Chunks> {
    signal?.throwIfAborted();
    if (this.#isClosed) throw closed();
    clearTimeout(this.#idle);
    this.#isLoaded = true;
    this.#asked += 1;
    try {
      return await ThreadHost.of(this.#threadFile).embed(this.#folder, texts, {
        isQuery,
        signal,
        owner: this,
      });
    } finally {
      this.#asked -= 1;
      if (this.#asked === 0 && !this.#isClosed) {
        this.#idle = setTimeout(() => void this.#unload(), this.#idleMs);
        this.#idle.unref();
      }
    }
  }

  async #unload(): Promise<void> {
    clearTimeout(this.#idle);
    if (!this.#isLoaded) return;
    this.#isLoaded = false;
    await ThreadHost.of(this.#threadFile).unload(this.#folder);
  }

  #checked(vector: Float32Array): Float32Array {
    if (vector.length === this.model.dimensions) return vector;
    throw new MemsvcError(
      "unavailable",
      `the model ${this.model.name} makes vectors of ${vector.length} dimensions, not of ${this.model.dimensions}`,
      { hint: `fetch its files again: memsvc models pull ${this.model.name}` },
    );
  }
}

function closed(): MemsvcError {
  return new MemsvcError("provider_failed", "the embedding model was closed");
}

import { MemsvcError } from "../../operation/errors.ts";
import type { EmbeddingModel, EmbeddingProvider } from "../provider.ts";
import { LoadedFiles, type LoadedFilesOptions } from "./loaded-files.ts";
import type { Chunks } from "./thread-host.ts";

export interface LocalProviderOptions extends LoadedFilesOptions {
  readonly model: EmbeddingModel;
}

/** An ONNX model in the embedding thread, loaded at the first text and unloaded when none came for long. */
export class LocalProvider implements EmbeddingProvider {
  readonly model: EmbeddingModel;
  readonly #files: LoadedFiles;

  constructor({ model, ...files }: LocalProviderOptions) {
    this.model = model;
    this.#files = new LoadedFiles(files);
  }

  /** Whether the model may be in memory. */
  get isLoaded(): boolean {
    return this.#files.isLoaded;
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

  close(): Promise<void> {
    return this.#files.close();
  }

  #ask(texts: readonly string[], isQuery: boolean, signal: AbortSignal | undefined): Promise<Chunks> {
    return this.#files.ask(
      (host, folder, owner) => host.embed(folder, texts, { isQuery, signal, owner }),
      signal,
    );
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

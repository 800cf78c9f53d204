import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { describeIssue } from "../../operation/describe-issue.ts";
import { MemsvcError, messageOf } from "../../operation/errors.ts";
import { withFieldPath } from "../../operation/parse.ts";
import { chunkTokens, window } from "../chunks.ts";
import type { EmbeddingModel, EmbeddingProvider } from "../provider.ts";
import { unitVector } from "../unit-vector.ts";
import { readQuantisedTable } from "./quantised-table.ts";
import { readSafetensors } from "./safetensors.ts";
import { meanOf, type TokenTable } from "./token-table.ts";
import { WordPiece } from "./word-piece.ts";

interface StaticProviderOptions {
  readonly model: EmbeddingModel;
  readonly folder: string;
  /** The table's file within the folder. */
  readonly weights: string;
}

/**
 * A Model2Vec model: a text's vector is the mean of its tokens' vectors. It needs no runtime, and is too fast to need a
 * thread.
 */
export class StaticProvider implements EmbeddingProvider {
  readonly model: EmbeddingModel;
  readonly #table: TokenTable;
  readonly #tokenizer: WordPiece;

  private constructor(model: EmbeddingModel, table: TokenTable, tokenizer: WordPiece) {
    this.model = model;
    this.#table = table;
    this.#tokenizer = tokenizer;
  }

  /** Loads the table. Errors: unavailable. */
  static async open({ model, folder, weights }: StaticProviderOptions): Promise<StaticProvider> {
    try {
      const readTable = weights.endsWith(".gge1.bin") ? readQuantisedTable : readSafetensors;
      const table = await read(folder, weights, readTable);
      const tokenizer = await read(
        folder,
        "tokenizer.json",
        (file) => new WordPiece(JSON.parse(file.toString())),
      );
      const rows = table.rowOf?.length ?? table.values.length / table.dimensions;
      if (rows < tokenizer.size) throw new Error(`it has ${rows} vectors for ${tokenizer.size} tokens`);
      if (table.dimensions !== model.dimensions) {
        const said = `${model.dimensions} in config.json, ${table.dimensions} in ${weights}`;
        throw new Error(`its files differ about the dimensions: ${said}`);
      }
      return new StaticProvider(model, table, tokenizer);
    } catch (error) {
      const reason = messageOf(error);
      throw new MemsvcError("unavailable", `the embedding model ${model.name} cannot be loaded: ${reason}`, {
        hint: "check its files: memsvc models verify",
        cause: error,
      });
    }
  }

  async embedDocuments(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[][]> {
    signal?.throwIfAborted();
    return texts.map((text) =>
      chunkTokens(this.#tokenizer.known(text), window.tokens, window.overlap).flatMap((ids) =>
        this.#vector(ids),
      ),
    );
  }

  async embedQuery(text: string, signal?: AbortSignal): Promise<Float32Array | undefined> {
    signal?.throwIfAborted();
    return this.#vector(this.#tokenizer.known(text).slice(0, window.tokens))[0];
  }

  async close(): Promise<void> {}

  /** A list of one vector; empty when no token is known. */
  #vector(ids: readonly number[]): Float32Array[] {
    const vector = ids.length === 0 ? undefined : unitVector(meanOf(this.#table, ids));
    return vector === undefined ? [] : [vector];
  }
}

/** Reads one of a model's files; errors name the file. */
async function read<Content>(
  folder: string,
  file: string,
  contentOf: (bytes: Buffer) => Content,
): Promise<Content> {
  const bytes = await readFile(join(folder, file));
  try {
    return contentOf(bytes);
  } catch (error) {
    throw new Error(`${file}: ${reasonOf(error)}`, { cause: error });
  }
}

function reasonOf(error: unknown): string {
  const issue = error instanceof z.ZodError ? error.issues[0] : undefined;
  return issue === undefined ? messageOf(error) : withFieldPath(describeIssue(issue));
}

import { MemsvcError } from "../../operation/errors.ts";
import { chunksOf } from "../../store/chunks.ts";
import { cutCodePoints } from "../../text/code-points.ts";
import { redactText } from "../../text/redaction/redact.ts";
import { chunkText, shortPiece } from "../chunks.ts";
import { type EmbeddingModel, type EmbeddingProvider, isRefusal } from "../provider.ts";
import { unitVector } from "../unit-vector.ts";
import { declaredDimensions, type RemoteEndpoint, remoteModel } from "./endpoint.ts";
import { type PostOptions, postJson } from "./post-json.ts";
import { type TextKind, vendors } from "./vendors.ts";

/** About 500 tokens, as many as every vendor's model can read. */
const chunkCodePoints = 1_500;
const overlapCodePoints = 150;
/** As many as MEMSVC_EMBEDDING_DIMENSIONS may ask for. */
const mostDimensions = 16_384;

/** A model of a vendor, over HTTP. Texts leave the machine, so it is only used when the setting names the vendor. */
export class RemoteProvider implements EmbeddingProvider {
  readonly model: EmbeddingModel;
  readonly #endpoint: RemoteEndpoint;
  readonly #pause: PostOptions["pause"];

  private constructor(endpoint: RemoteEndpoint, dimensions: number, pause: PostOptions["pause"]) {
    this.#endpoint = endpoint;
    this.#pause = pause;
    this.model = remoteModel(endpoint, dimensions);
  }

  /**
   * Opens the provider; if the dimensions are unknown, it requests one vector. Errors: provider_failed, unavailable.
   */
  static async open(
    endpoint: RemoteEndpoint,
    options: Partial<Pick<PostOptions, "pause" | "signal">> = {},
  ): Promise<RemoteProvider> {
    let dimensions = declaredDimensions(endpoint);
    if (dimensions === undefined) {
      const post = { vendor: endpoint.vendor, timeoutMs: endpoint.timeoutMs, signal: undefined, ...options };
      const [vector = []] = await askVectors(endpoint, ["dimensions"], "document", post);
      dimensions = vector.length;
      if (dimensions === 0 || dimensions > mostDimensions) {
        throw new MemsvcError(
          "provider_failed",
          `${endpoint.vendor} answered with a vector of ${dimensions} numbers, not of 1 to ${mostDimensions}`,
        );
      }
    }
    return new RemoteProvider(endpoint, dimensions, options.pause);
  }

  async embedDocuments(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[][]> {
    const chunks = texts.flatMap((text, index) =>
      chunkText(text, chunkCodePoints, overlapCodePoints)
        .filter((chunk) => chunk.trim() !== "")
        .map((chunk) => ({ index, chunk })),
    );
    const vectors: Float32Array[][] = texts.map(() => []);
    const size = Math.min(this.#endpoint.batchSize, vendors[this.#endpoint.vendor].maxBatch);
    for (const batch of chunksOf(chunks, size)) {
      const made = await this.#ask(
        batch.map(({ chunk }) => chunk),
        "document",
        signal,
      );
      for (const [at, { index }] of batch.entries()) {
        const vector = made[at];
        if (vector !== undefined) vectors[index]?.push(vector);
      }
    }
    return vectors;
  }

  async embedQuery(text: string, signal?: AbortSignal): Promise<Float32Array | undefined> {
    const [beginning = ""] = chunkText(text, chunkCodePoints, overlapCodePoints);
    if (beginning.trim() === "") return undefined;
    // Documents were redacted when they were stored; a question was not.
    const question = redactText(beginning);
    try {
      return (await this.#ask([question], "query", signal))[0];
    } catch (error) {
      const shorter = cutCodePoints(question, shortPiece.length);
      if (!isRefusal(error) || shorter === question) throw error;
      return (await this.#ask([shorter], "query", signal))[0];
    }
  }

  async close(): Promise<void> {}

  async #ask(
    texts: readonly string[],
    kind: TextKind,
    signal: AbortSignal | undefined,
  ): Promise<Float32Array[]> {
    const { vendor, timeoutMs } = this.#endpoint;
    const pause = this.#pause === undefined ? {} : { pause: this.#pause };
    const vectors = await askVectors(this.#endpoint, texts, kind, { vendor, timeoutMs, signal, ...pause });
    const wrong = vectors.find(({ length }) => length !== this.model.dimensions);
    if (wrong !== undefined) {
      throw new MemsvcError(
        "unavailable",
        `${vendor} answered with ${wrong.length} dimensions instead of ${this.model.dimensions}`,
        { hint: `set MEMSVC_EMBEDDING_DIMENSIONS=${wrong.length}, or name another model` },
      );
    }
    return vectors.map((values) => directed(values, vendor));
  }
}

/**
 * The values as a unit vector. Error: provider_failed when they are all zero or not finite, so that they have no
 * direction.
 */
function directed(values: readonly number[], vendor: string): Float32Array {
  const vector = unitVector(values);
  if (vector !== undefined) return vector;
  throw new MemsvcError("provider_failed", `${vendor} answered with a zero vector`, {
    extra: { refused: true },
  });
}

async function askVectors(
  { vendor, ...endpoint }: RemoteEndpoint,
  texts: readonly string[],
  kind: TextKind,
  post: PostOptions,
): Promise<readonly (readonly number[])[]> {
  const { request, vectors } = vendors[vendor];
  const answer = await postJson(request({ ...endpoint, texts, kind }), post);
  let read: readonly (readonly number[])[];
  try {
    read = vectors(answer);
  } catch (error) {
    throw new MemsvcError("provider_failed", `${vendor} answered without any vectors`, {
      cause: error,
    });
  }
  if (read.length === texts.length) return read;
  throw new MemsvcError(
    "provider_failed",
    `${vendor} answered with ${read.length} vectors for ${texts.length} texts`,
  );
}

import { setImmediate as nextTurn } from "node:timers/promises";
import type { Ground } from "../ground.ts";
import {
  lacksUnqueued,
  type PendingDocument,
  pendingDocuments,
  requeueOthers,
  storeVectors,
} from "../index/vectors/vectors.ts";
import { BackgroundLoop } from "../jobs/background-loop.ts";
import { backingOff } from "../jobs/backing-off.ts";
import { retryAfterMs } from "../jobs/retry-after.ts";
import { isMemsvcError } from "../operation/errors.ts";
import { firstNumber } from "../store/sql.ts";
import { chunkText, shortPiece } from "./chunks.ts";
import type { Embeddings } from "./embeddings.ts";
import { isRefusal } from "./provider.ts";

/*
 * Makes the vectors of documents after they were written. Its queue is a table that triggers fill, so nobody has to
 * enqueue documents, and those that other processes write are found too. The queue survives a crash; a document that
 * two processes take at once is embedded twice, with the same result. This is a loop of its own and not a job, because
 * the job worker does one job at a time, and ten thousand documents take long.
 */

const lookEveryMs = 1_000;
/** Characters of one batch, which a local model embeds in some seconds. */
const batchLength = 32_000;
const requeueSlice = 5_000;

export class DocumentEmbedder {
  readonly #ground: Ground;
  readonly #embeddings: Embeddings;
  readonly #loop: BackgroundLoop;
  /** Fingerprint of the model for which all documents without its vectors have been queued. */
  #queuedFor: string | undefined;

  private constructor(ground: Ground, embeddings: Embeddings) {
    this.#ground = ground;
    this.#embeddings = embeddings;
    const run = backingOff(ground, {
      work: async () => {
        if (embeddings.available) await this.#drain();
      },
      everyMs: lookEveryMs,
      failure: "documents wait for their vectors",
      restMs: (error) => retryAfterMs(error, "provider_failed"),
    });
    this.#loop = new BackgroundLoop(run);
  }

  /** Starts looking for documents to embed, now and every second until closed. */
  static start(ground: Ground, embeddings: Embeddings): DocumentEmbedder {
    const embedder = new DocumentEmbedder(ground, embeddings);
    ground.store.onReplaced(() => {
      embedder.#queuedFor = undefined;
    });
    embedder.wake();
    return embedder;
  }

  /** Embeds the documents in the queue, once. Errors: unavailable, provider_failed. */
  static async runOnce(ground: Ground, embeddings: Embeddings): Promise<void> {
    await new DocumentEmbedder(ground, embeddings).#drain();
  }

  get state(): "idle" | "busy" | "stopped" {
    return this.#loop.state;
  }

  /** Looks now. */
  wake(): void {
    this.#loop.wake();
  }

  /** Stops the loop. A batch that is being stored is finished; one that is being embedded stays in the queue. */
  close(): Promise<void> {
    return this.#loop.close();
  }

  /** Pauses while `work` replaces the database, whose documents will be others. */
  pauseFor<T>(work: () => Promise<T>): Promise<T> {
    return this.#loop.pauseFor(work);
  }

  async #drain(): Promise<void> {
    const { sql } = this.#ground.store.read;
    const { signal } = this.#loop;
    while (!signal.aborted) {
      const waiting = await pendingDocuments(sql, this.#ground.settings.embeddingBatchSize);
      const known = this.#embeddings.model?.fingerprint;
      if (waiting.length === 0 && known !== undefined && this.#queuedFor === known) return;
      const { fingerprint } = await this.#embeddings.ready(signal);
      if (this.#queuedFor !== fingerprint) {
        await this.#requeue(fingerprint);
        if (!signal.aborted) this.#queuedFor = fingerprint;
        continue;
      }
      await this.#embed(firstOf(waiting), fingerprint);
      await nextTurn();
    }
  }

  /**
   * Embeds documents and stores their vectors at once, so that a later failure does not repeat them. When a batch fails
   * because of its texts, its halves are embedded apart, until the document at fault is found.
   */
  async #embed(documents: readonly PendingDocument[], fingerprint: string, isAgain = false): Promise<void> {
    const { signal } = this.#loop;
    try {
      const made = await this.#embeddings.embedDocuments(
        documents.map(({ text }) => text),
        signal,
      );
      const embedded = documents.map((document, index) => ({ ...document, chunks: made[index] ?? [] }));
      await this.#ground.store.write((tx) => storeVectors(tx.sql, fingerprint, embedded));
    } catch (error) {
      if (signal.aborted || !mayLieInTexts(error)) throw error;
      const [only, ...others] = documents;
      if (only === undefined) return;
      if (others.length > 0) {
        if (!isRefusal(error)) await this.#makeSureOfVendor();
        const half = Math.ceil(documents.length / 2);
        await this.#embed(documents.slice(0, half), fingerprint);
        await this.#embed(documents.slice(half), fingerprint);
        return;
      }
      await this.#makeSureOfVendor();
      if (!isRefusal(error) && !isAgain) return this.#embed(documents, fingerprint, true);
      const chunks = await this.#inShortPieces(only.text);
      // Stored even without vectors: in the queue it would block all documents behind it.
      if (chunks.length === 0)
        this.#ground.log("warn", "a document stays without vectors", { id: only.id, error: String(error) });
      await this.#ground.store.write((tx) => storeVectors(tx.sql, fingerprint, [{ ...only, chunks }]));
    }
  }

  /** The vectors of a text at which the provider failed, in short pieces; none if it fails at these, too. */
  async #inShortPieces(text: string): Promise<Float32Array[]> {
    const { signal } = this.#loop;
    try {
      const pieces = chunkText(text, shortPiece.length, shortPiece.overlap);
      return (await this.#embeddings.embedDocuments(pieces, signal)).flat();
    } catch (error) {
      if (signal.aborted || !mayLieInTexts(error)) throw error;
      return [];
    }
  }

  /**
   * Embeds a harmless text: a vendor that fails at this too (its budget may be spent) is at fault, not the document.
   */
  async #makeSureOfVendor(): Promise<void> {
    await this.#embeddings.embedDocuments(["a text"], this.#loop.signal);
  }

  /** Queues all documents without vectors of this model, in slices, so that other writes do not wait long. */
  async #requeue(fingerprint: string): Promise<void> {
    const { store } = this.#ground;
    if (!(await lacksUnqueued(store.read.sql, fingerprint))) return;
    const last = await firstNumber(store.read.sql, "SELECT max(id) FROM documents");
    let requeued = 0;
    for (let after = 0; after < last && !this.#loop.signal.aborted; after += requeueSlice) {
      const range = { after, upTo: after + requeueSlice };
      requeued += await store.write((tx) => requeueOthers(tx.sql, fingerprint, range));
      await nextTurn();
    }
    if (requeued > 0) this.#ground.log("info", "documents get vectors of another model", { count: requeued });
  }
}

/** The first documents up to a length of text, and at least one. */
function firstOf(documents: readonly PendingDocument[]): readonly PendingDocument[] {
  let length = 0;
  const end = documents.findIndex(({ text }, index) => {
    length += text.length;
    return index > 0 && length > batchLength;
  });
  return end < 0 ? documents : documents.slice(0, end);
}

/** Whether the texts may have caused the error. Servers report that in many ways, but not as too many requests. */
function mayLieInTexts(error: unknown): boolean {
  return isMemsvcError(error, "provider_failed") && retryAfterMs(error, "provider_failed") === undefined;
}

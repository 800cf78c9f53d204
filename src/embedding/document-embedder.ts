import { setImmediate as nextTurn } from "node:timers/promises";
import type { Ground } from "../ground.ts";
import {
  countVectors,
  type EmbeddedDocument,
  type PendingDocument,
  pendingDocuments,
  requeueOthers,
  storeVectors,
} from "../index/vectors.ts";
import { isMemsvcError } from "../operation/errors.ts";
import { firstRow } from "../store/sql.ts";
import type { Embeddings } from "./embeddings.ts";

/*
 * Makes the vectors of documents after they were written. The queue is a table that triggers fill, so nothing has
 * to be enqueued, and whatever process wrote a document, this one finds it. It survives a crash; a document that
 * two processes take at once is embedded twice and stored the same. It is a loop of its own, not a job: the job
 * worker does one thing at a time, and ten thousand documents take a while.
 */

const lookEveryMs = 1_000;
/** A remote provider that is down is asked again after pauses that double up to this. */
const longestPauseMs = 300_000;
/** Text of one batch: what a local model works through in some seconds. */
const batchLength = 32_000;
const requeueSlice = 5_000;

export class DocumentEmbedder {
  readonly #ground: Ground;
  readonly #embeddings: Embeddings;
  #closing = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #failures = 0;
  /** The model for which all documents without its vectors are in the queue. */
  #queuedFor: string | undefined;

  private constructor(ground: Ground, embeddings: Embeddings) {
    this.#ground = ground;
    this.#embeddings = embeddings;
  }

  /** Starts looking for documents to embed, now and every second until closed. */
  static start(ground: Ground, embeddings: Embeddings): DocumentEmbedder {
    const embedder = new DocumentEmbedder(ground, embeddings);
    embedder.wake();
    return embedder;
  }

  /** Embeds what waits and no more. Errors: unavailable, provider_failed. */
  static async runOnce(ground: Ground, embeddings: Embeddings): Promise<void> {
    await new DocumentEmbedder(ground, embeddings).#drain();
  }

  get state(): "idle" | "busy" | "stopped" {
    if (this.#closing.signal.aborted) return "stopped";
    return this.#running === undefined ? "idle" : "busy";
  }

  /** Looks now. */
  wake(): void {
    if (this.#closing.signal.aborted || this.#running !== undefined) return;
    clearTimeout(this.#timer);
    this.#running = this.#work().then((delayMs) => {
      this.#running = undefined;
      if (this.#closing.signal.aborted) return;
      this.#timer = setTimeout(() => this.wake(), delayMs);
      this.#timer.unref();
    });
  }

  /** Ends after the batch that is being stored; one that is being embedded is left in the queue. */
  async close(): Promise<void> {
    this.#closing.abort();
    clearTimeout(this.#timer);
    await this.#running;
  }

  /** Makes no vectors while the work given puts another database in the store's place: its documents are others. */
  async pauseFor<T>(work: () => Promise<T>): Promise<T> {
    await this.close();
    try {
      return await work();
    } finally {
      this.#closing = new AbortController();
      this.#queuedFor = undefined;
      this.wake();
    }
  }

  /** Returns after how many milliseconds to look again. */
  async #work(): Promise<number> {
    try {
      if (this.#embeddings.available) await this.#drain();
      this.#failures = 0;
      return lookEveryMs;
    } catch (error) {
      if (this.#closing.signal.aborted) return lookEveryMs;
      if (this.#failures === 0)
        this.#ground.log("warn", "documents wait for their vectors", { error: String(error) });
      this.#failures += 1;
      return Math.min(longestPauseMs, lookEveryMs * 2 ** this.#failures);
    }
  }

  async #drain(): Promise<void> {
    const { sql } = this.#ground.store.read;
    const { signal } = this.#closing;
    while (!signal.aborted) {
      const waiting = await pendingDocuments(sql, this.#ground.settings.embeddingBatchSize);
      if (waiting.length === 0 && this.#queuedFor === this.#embeddings.model?.fingerprint) return;
      const { fingerprint } = await this.#embeddings.ready();
      if (this.#queuedFor !== fingerprint) {
        await this.#requeue(fingerprint);
        this.#queuedFor = fingerprint;
        continue;
      }
      const batch = firstOf(waiting);
      const embedded = await this.#embed(batch);
      await this.#ground.store.write((tx) => storeVectors(tx.sql, fingerprint, embedded));
      await nextTurn();
    }
  }

  async #embed(documents: readonly PendingDocument[]): Promise<EmbeddedDocument[]> {
    const { signal } = this.#closing;
    try {
      const texts = documents.map(({ text }) => text);
      const made = await this.#embeddings.embedDocuments(texts, signal);
      return documents.map((document, index) => ({ ...document, chunks: made[index] ?? [] }));
    } catch (error) {
      if (!isRefusal(error) || signal.aborted) throw error;
      const [only, ...others] = documents;
      if (only === undefined) return [];
      if (others.length === 0) {
        // Left in the queue it would keep all that come after it from being embedded.
        this.#ground.log("warn", "a document stays without vectors", { id: only.id, error: String(error) });
        return [{ ...only, chunks: [] }];
      }
      const half = Math.ceil(documents.length / 2);
      return [
        ...(await this.#embed(documents.slice(0, half))),
        ...(await this.#embed(documents.slice(half))),
      ];
    }
  }

  /** Queues what has no vectors of this model, in slices that do not hold up other writes. */
  async #requeue(fingerprint: string): Promise<void> {
    const { store } = this.#ground;
    const { embedded, pending } = await countVectors(store.read.sql, fingerprint);
    const documents = await firstRow<{ n: number; last: number | null }>(
      store.read.sql,
      "SELECT count(*) AS n, max(id) AS last FROM documents",
    );
    if (documents === undefined || embedded + pending >= documents.n) return;
    let requeued = 0;
    const last = documents.last ?? 0;
    for (let after = 0; after < last && !this.#closing.signal.aborted; after += requeueSlice) {
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

function isRefusal(error: unknown): boolean {
  return isMemsvcError(error, "provider_failed") && error.extra.refused === true;
}

import type { Ground } from "../ground.ts";
import { hasVectorsOf } from "../index/vectors/vectors.ts";
import { callSignal } from "../net/call-signal.ts";
import { isMemsvcError, type MemsvcError } from "../operation/errors.ts";
import type { Metrics } from "../operation/metrics.ts";
import { cutCodePoints } from "../text/code-points.ts";
import { type ChosenEmbedding, chooseEmbedding } from "./choice.ts";
import { openProvider } from "./open-provider.ts";
import type { EmbeddingModel, EmbeddingProvider } from "./provider.ts";
import { VendorGuard } from "./vendor-guard.ts";

const queriesKept = 100;
const longestQuery = 2_000;
const queryDeadlineMs = 1_000;
/** How soon a model that came meanwhile is noticed. */
const lookAgainMs = 1_000;
/** How long one that cannot work is left alone: a key may be accepted again, files may be mended. */
const tryAgainMs = 600_000;

/**
 * The embedding model of a home: chosen by the settings and by the files that are there, opened at the first text.
 * Where there is none, or where it fails, everything else goes on without vectors.
 */
export class Embeddings {
  readonly #ground: Ground;
  readonly #metrics: Metrics;
  readonly #open: typeof openProvider;
  readonly #guard: VendorGuard;
  #choice: ChosenEmbedding | undefined;
  #nextLook = 0;
  #opening: Promise<EmbeddingProvider> | undefined;
  /** Known at the latest once the provider is open. */
  #model: EmbeddingModel | undefined;
  /** Why the chosen provider cannot work, as it turned out, and when it is asked again. */
  #broken: { readonly reason: string; readonly untilMs: number } | undefined;
  /** What went wrong last, until something went well. */
  #failure: string | undefined;
  /** Some document has a vector of this model. */
  #comparable = false;
  readonly #closing = new AbortController();
  /** Most recently asked last. */
  readonly #queries = new Map<string, Float32Array>();
  /** Why the model's files are still missing, from whoever tried to fetch them. */
  fetchProblem: string | undefined;

  constructor(ground: Ground, metrics: Metrics, open: typeof openProvider = openProvider) {
    this.#ground = ground;
    this.#metrics = metrics;
    this.#open = open;
    this.#guard = new VendorGuard(ground);
  }

  /** Whether vectors can be made. */
  get available(): boolean {
    return this.#chosen() !== undefined;
  }

  /** The model in use; undefined without one, and until its dimensions are known. */
  get model(): EmbeddingModel | undefined {
    return this.#chosen() === undefined ? undefined : this.#model;
  }

  /** Why there are no vectors, or no new ones; undefined when there are, or when the user wants none. */
  get problem(): string | undefined {
    if (this.#broken !== undefined) return this.#broken.reason;
    const choice = this.#chosen() ?? chooseEmbedding(this.#ground.home, this.#ground.settings);
    if (choice.kind !== "none") return this.#failure;
    return choice.reason === undefined ? undefined : (this.fetchProblem ?? choice.reason);
  }

  /**
   * The unit vector of a question within the deadline; undefined when there is no model, when no document has a
   * vector to compare it with, when it takes longer or fails. What was asked lately is not computed again.
   */
  async embedQuery(text: string, deadlineMs: number = queryDeadlineMs): Promise<Float32Array | undefined> {
    if (!this.available || !(await this.#hasVectors())) return undefined;
    const query = cutCodePoints(text.trim(), longestQuery);
    const kept = this.#queries.get(query);
    if (kept !== undefined) {
      this.#keep(query, kept);
      return kept;
    }
    const embed = () =>
      this.#timed("embed.query", () =>
        within(deadlineMs, async (signal) => (await this.#provider()).embedQuery(query, signal)),
      );
    try {
      const vector = await (this.#choice?.kind === "remote" ? this.#guard.ask(embed) : embed());
      if (vector !== undefined) this.#keep(query, vector);
      return vector;
    } catch (error) {
      this.#ground.log("warn", "a query was searched without its vector", { error: String(error) });
      return undefined;
    }
  }

  /** The vectors of documents, one per chunk. Errors: unavailable, provider_failed. */
  async embedDocuments(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[][]> {
    return this.#timed("embed.document", async () => (await this.#provider()).embedDocuments(texts, signal));
  }

  /** Opens the model, so that all of it is known, or until the signal ends the wait. Errors: unavailable, provider_failed. */
  async ready(signal?: AbortSignal): Promise<EmbeddingModel> {
    return (await unlessAborted(signal, this.#provider())).model;
  }

  /** Ends the model's thread, and what is asked of a vendor. */
  async close(): Promise<void> {
    this.#closing.abort();
    const opening = this.#opening;
    this.#opening = undefined;
    // One that could not be opened has nothing to close.
    const provider = await opening?.catch(() => undefined);
    await provider?.close();
  }

  /** Looked for again now and then while there is none: its files may have come meanwhile. */
  #chosen(): ChosenEmbedding | undefined {
    if (this.#closing.signal.aborted || this.#ground.monotonic() < (this.#broken?.untilMs ?? 0))
      return undefined;
    if (this.#choice === undefined) {
      if (performance.now() < this.#nextLook) return undefined;
      this.#nextLook = performance.now() + lookAgainMs;
      const choice = chooseEmbedding(this.#ground.home, this.#ground.settings);
      if (choice.kind === "none") return undefined;
      this.#choice = choice;
      this.#model = choice.model;
    }
    return this.#choice;
  }

  /** A command that searches once does not load a model for nothing. */
  async #hasVectors(): Promise<boolean> {
    const fingerprint = this.#model?.fingerprint;
    if (this.#comparable || fingerprint === undefined) return true;
    this.#comparable = await hasVectorsOf(this.#ground.store.read.sql, fingerprint);
    return this.#comparable;
  }

  #provider(): Promise<EmbeddingProvider> {
    this.#opening ??= this.#openChosen().catch((error: unknown) => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }

  async #openChosen(): Promise<EmbeddingProvider> {
    const choice = this.#chosen();
    if (choice === undefined) throw new Error("there is no embedding model");
    try {
      const provider = await this.#open(choice, this.#closing.signal);
      this.#model = provider.model;
      return provider;
    } catch (error) {
      this.#note(error);
      throw error;
    }
  }

  async #timed<T>(functionId: string, work: () => Promise<T>): Promise<T> {
    try {
      const result = await this.#metrics.timed(functionId, work);
      this.#broken = undefined;
      this.#failure = undefined;
      return result;
    } catch (error) {
      this.#note(error);
      throw error;
    }
  }

  #note(error: unknown): void {
    if (isMemsvcError(error, "unavailable")) this.#giveUpFor(told(error));
    else if (isMemsvcError(error, "provider_failed")) this.#failure = told(error);
  }

  /** What cannot work would fail at every text: the rest of the program is spared the attempts for a while. */
  #giveUpFor(reason: string): void {
    if (this.#broken?.reason !== reason) this.#ground.log("warn", "no vectors for now", { reason });
    this.#broken = { reason, untilMs: this.#ground.monotonic() + tryAgainMs };
  }

  #keep(query: string, vector: Float32Array): void {
    this.#queries.delete(query);
    this.#queries.set(query, vector);
    const oldest = this.#queries.keys().next();
    if (this.#queries.size > queriesKept && !oldest.done) this.#queries.delete(oldest.value);
  }
}

/** What was wrong, and the way out. */
function told({ message, hint }: MemsvcError): string {
  return hint === undefined ? message : `${message} (${hint})`;
}

/** Gives up waiting for work at its deadline, even for work that does not heed the signal. */
async function within<T>(deadlineMs: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const { signal, release } = callSignal(deadlineMs);
  try {
    return await unlessAborted(signal, work(signal));
  } finally {
    release();
  }
}

/** What is awaited, or the signal's reason as soon as it is given. */
async function unlessAborted<T>(signal: AbortSignal | undefined, awaited: Promise<T>): Promise<T> {
  if (signal === undefined) return awaited;
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
  });
  try {
    return await Promise.race([awaited, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

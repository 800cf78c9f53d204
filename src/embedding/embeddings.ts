import type { Ground } from "../ground.ts";
import { hasVectorsOf } from "../index/vectors/vectors.ts";
import { keepRecent } from "../keep-recent.ts";
import { callSignal } from "../net/call-signal.ts";
import { isMemsvcError, type MemsvcError } from "../operation/errors.ts";
import type { Metrics } from "../operation/metrics.ts";
import { cutCodePoints } from "../text/code-points.ts";
import { type ChosenEmbedding, chooseEmbedding } from "./choice.ts";
import { weightsReplaced } from "./models/replaced-weights.ts";
import { openProvider } from "./open-provider.ts";
import type { EmbeddingModel, EmbeddingProvider } from "./provider.ts";
import { VendorGuard } from "./vendor-guard.ts";

const queriesKept = 100;
const longestQuery = 2_000;
const queryDeadlineMs = 1_000;
/** How often to look for a model while there is none, and for other files of the model in use. */
const lookAgainMs = 1_000;
/** How long to wait before a provider that cannot work is tried again: its key or files may have been put right. */
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
  /** Whether the files of the chosen model were replaced. */
  #isReplaced: () => boolean = () => false;
  #nextLook = 0;
  #opening: Promise<EmbeddingProvider> | undefined;
  /** Known at the latest once the provider is open. */
  #model: EmbeddingModel | undefined;
  /** Why the chosen provider turned out not to work, and until when it is not tried again. */
  #broken: { readonly reason: string; readonly untilMs: number } | undefined;
  /** The last failure; undefined after a success. */
  #failure: string | undefined;
  /** Whether some document is known to have a vector of this model. */
  #comparable = false;
  readonly #closing = new AbortController();
  /** Cache of the vectors of queries, the most recently used last. */
  readonly #queries = new Map<string, Float32Array>();
  /** Why the model's files are still missing; set by the code that tried to fetch them. */
  fetchProblem: string | undefined;

  constructor(ground: Ground, metrics: Metrics, open: typeof openProvider = openProvider) {
    this.#ground = ground;
    this.#metrics = metrics;
    this.#open = open;
    this.#guard = new VendorGuard(ground);
  }

  /** Whether vectors can be made. */
  get available(): boolean {
    this.#replaceModel();
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
   * The unit vector of a question; undefined when there is no model, or no document has a vector to compare it with.
   * Vectors of recent questions are cached. Errors: unavailable, provider_failed, TimeoutError after the deadline.
   */
  async embedQuery(text: string, deadlineMs: number = queryDeadlineMs): Promise<Float32Array | undefined> {
    this.#replaceModel();
    const choice = this.#chosen();
    if (choice === undefined || !(await this.#hasVectors())) return undefined;
    const query = cutCodePoints(text.trim(), longestQuery);
    const kept = this.#queries.get(query);
    if (kept !== undefined) {
      keepRecent(this.#queries, query, kept, queriesKept);
      return kept;
    }
    const embed = () =>
      this.#timed("embed.query", () =>
        within(deadlineMs, async (signal) => (await this.#provider()).embedQuery(query, signal)),
      );
    const vector = await (choice.kind === "remote" ? this.#guard.ask(embed) : embed());
    if (vector !== undefined) keepRecent(this.#queries, query, vector, queriesKept);
    return vector;
  }

  /** The vectors of documents, one per chunk. Errors: unavailable, provider_failed. */
  async embedDocuments(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[][]> {
    return this.#timed("embed.document", async () => (await this.#provider()).embedDocuments(texts, signal));
  }

  /**
   * Opens the model, so that all of it is known, or until the signal ends the wait. Errors: unavailable,
   * provider_failed.
   */
  async ready(signal?: AbortSignal): Promise<EmbeddingModel> {
    return (await unlessAborted(signal, this.#provider())).model;
  }

  /** Closes the provider, and aborts requests to a vendor. */
  async close(): Promise<void> {
    this.#closing.abort();
    const opening = this.#opening;
    this.#opening = undefined;
    // A provider that failed to open has nothing to close.
    const provider = await opening?.catch(() => undefined);
    await provider?.close();
  }

  /** The chosen provider. While there is none, it is looked for again now and then: files may have been installed. */
  #chosen(): ChosenEmbedding | undefined {
    if (this.#closing.signal.aborted || this.#ground.monotonic() < (this.#broken?.untilMs ?? 0))
      return undefined;
    if (this.#choice === undefined) {
      if (this.#ground.monotonic() < this.#nextLook) return undefined;
      this.#nextLook = this.#ground.monotonic() + lookAgainMs;
      const choice = chooseEmbedding(this.#ground.home, this.#ground.settings);
      if (choice.kind === "none") {
        this.#broken = undefined;
        return undefined;
      }
      this.#choice = choice;
      this.#isReplaced = choice.kind === "remote" ? () => false : weightsReplaced(choice.files);
      this.#model = choice.model;
    }
    return this.#choice;
  }

  /**
   * Chooses anew when the files of the model in use were replaced. Otherwise the new files, once loaded, would make
   * vectors under the fingerprint of the old ones.
   */
  #replaceModel(): void {
    if (this.#choice === undefined || this.#ground.monotonic() < this.#nextLook) return;
    this.#nextLook = this.#ground.monotonic() + lookAgainMs;
    if (!this.#isReplaced()) return;
    this.#nextLook = 0;
    this.#forgetProvider();
  }

  /** Whether there are vectors to compare with; otherwise a command that searches once need not load the model. */
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

  /** Does not try the provider again for a while, because it would fail at every text. */
  #giveUpFor(reason: string): void {
    if (this.#broken?.reason !== reason) this.#ground.log("warn", "no vectors for now", { reason });
    this.#broken = { reason, untilMs: this.#ground.monotonic() + tryAgainMs };
    this.#forgetProvider();
  }

  /** The next try chooses anew, because other files may be there by then: of another version, or another model's. */
  #forgetProvider(): void {
    const opening = this.#opening;
    this.#choice = undefined;
    this.#opening = undefined;
    this.#comparable = false;
    this.#queries.clear();
    // What cannot work may fail to close, too, and then has nothing to release.
    void opening?.then((provider) => provider.close()).catch(() => undefined);
  }
}

/** Message and hint of an error as one text. */
function told({ message, hint }: MemsvcError): string {
  return hint === undefined ? message : `${message} (${hint})`;
}

/** Rejects at the deadline, even if the work ignores its signal. */
async function within<T>(deadlineMs: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const { signal, release } = callSignal(deadlineMs);
  try {
    return await unlessAborted(signal, work(signal));
  } finally {
    release();
  }
}

/** Waits for the promise, but rejects with the signal's reason as soon as that is aborted. */
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

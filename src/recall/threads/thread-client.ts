import { Worker } from "node:worker_threads";
import type { SearchHit } from "../../index/hits.ts";
import type { Passages } from "../../index/passages/read-passages.ts";
import type { VectorQuery } from "../../index/vectors/vector-index.ts";
import { MemsvcError } from "../../operation/errors.ts";
import { receivedError, type SentError } from "../../operation/sent-error.ts";
import type { StreamQuestion } from "../search/streams.ts";

/** What a thread is started with. */
export interface ThreadData {
  /** The database's file. */
  readonly path: string;
  readonly duty: ThreadDuty;
}

/**
 * What a thread holds in memory. The one with the words takes part in the scans over vectors, about which it is asked on the
 * channel.
 */
export type ThreadDuty =
  | { readonly kind: "words"; readonly scanChannel: string }
  | { readonly kind: "vectors"; readonly scanChannel: string; readonly cachePath: string };

type HitQuestion =
  | ({ readonly kind: "keyword" | "graph" } & StreamQuestion)
  | { readonly kind: "vector"; readonly query: VectorQuery };

interface PassageQuestion {
  readonly kind: "passages";
  readonly query: string;
  /** Rows of the index. */
  readonly ids: readonly number[];
}

export type SearchQuestion = HitQuestion | PassageQuestion;

export type SearchTask =
  | { readonly kind: "ask"; readonly id: number; readonly question: SearchQuestion }
  | { readonly kind: "close" };

type Found = SearchHit[] | Passages | undefined;

export type SearchReply =
  | { readonly id: number; readonly found: Found }
  | { readonly id: number; readonly error: string; readonly driverCode: string | undefined }
  | { readonly id: number; readonly fault: SentError };

type FailedReply = Exclude<SearchReply, { readonly found: unknown }>;

/** With the driver's code the store knows it for what it is, as if it had been met on this thread. */
function errorOf(reply: FailedReply): Error {
  if ("fault" in reply) return receivedError(reply.fault);
  return Object.assign(new Error(reply.error), { code: reply.driverCode });
}

interface Pending {
  readonly question: SearchQuestion;
  readonly resolve: (found: Found) => void;
  readonly reject: (error: Error) => void;
}

/** What a search leaves behind is small; a thread would let three times as much of it lie about. */
const youngMib = 6;

/** Searches on a thread of their own, so that a slow one never keeps a write waiting. A thread that dies is replaced. */
export class ThreadClient {
  readonly #threadFile: string;
  readonly #data: ThreadData;
  readonly #failed: (error: Error) => void;
  readonly #pending = new Map<number, Pending>();
  #worker: Worker | undefined;
  #lastId = 0;
  #isClosed = false;
  #restarting: Promise<void> | undefined;

  /** `failed` is told of every failed answer: whoever asked may do without it. */
  constructor(threadFile: string, data: ThreadData, failed: (error: Error) => void) {
    this.#failed = failed;
    this.#threadFile = threadFile;
    this.#data = data;
  }

  /** Starts the thread before the first search needs it. */
  warm(): void {
    this.#running();
  }

  /** How many questions have no answer yet. */
  get pending(): number {
    return this.#pending.size;
  }

  /** Error: unavailable once it is closed, or else the question would start a thread that nobody ends. */
  async ask(question: PassageQuestion): Promise<Passages>;
  async ask(question: HitQuestion): Promise<SearchHit[] | undefined>;
  async ask(question: SearchQuestion): Promise<Found> {
    if (this.#isClosed) throw new MemsvcError("unavailable", "memsvc is stopping", { hint: "try again" });
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { question, resolve, reject });
      // The thread that comes is asked all that waits for it.
      if (this.#restarting === undefined) this.#post(this.#running(), id, question);
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#restarting;
    await this.#stop();
  }

  /** Ends the thread and starts another, which answers what the first has not; `between` is done when none runs. */
  async restart(between: () => void = () => undefined): Promise<void> {
    this.#restarting ??= this.#restart(between).finally(() => {
      this.#restarting = undefined;
    });
    await this.#restarting;
  }

  async #restart(between: () => void): Promise<void> {
    await this.#stop();
    between();
    if (this.#isClosed) {
      this.#fail(new Error("the search thread ended"));
      return;
    }
    const worker = this.#running();
    for (const [id, { question }] of this.#pending) this.#post(worker, id, question);
  }

  #post(worker: Worker, id: number, question: SearchQuestion): void {
    worker.postMessage({ kind: "ask", id, question } satisfies SearchTask);
  }

  async #stop(): Promise<void> {
    const worker = this.#worker;
    if (worker === undefined) return;
    // Waited for, it must keep the process alive: a start that fails would otherwise end here, without a word.
    worker.ref();
    const ended = new Promise<void>((resolve) => worker.once("exit", () => resolve()));
    worker.postMessage({ kind: "close" } satisfies SearchTask);
    await ended;
  }

  #running(): Worker {
    this.#worker ??= this.#start();
    return this.#worker;
  }

  #start(): Worker {
    const worker = new Worker(this.#threadFile, {
      workerData: this.#data,
      resourceLimits: { maxYoungGenerationSizeMb: youngMib },
    });
    worker.on("message", (reply: SearchReply) => {
      const pending = this.#pending.get(reply.id);
      this.#pending.delete(reply.id);
      if ("found" in reply) {
        pending?.resolve(reply.found);
        return;
      }
      const error = errorOf(reply);
      this.#failed(error);
      pending?.reject(error);
    });
    // A thread that failed ends later: by then another may answer in its place.
    const fail = (error: Error) => {
      if (this.#worker === worker) this.#fail(error);
    };
    worker.on("error", fail);
    worker.on("exit", () => {
      if (this.#restarting === undefined) fail(new Error("the search thread ended"));
      else if (this.#worker === worker) this.#worker = undefined;
    });
    worker.unref();
    return worker;
  }

  #fail(error: Error): void {
    this.#worker = undefined;
    for (const { reject } of this.#pending.values()) reject(error);
    this.#pending.clear();
  }
}

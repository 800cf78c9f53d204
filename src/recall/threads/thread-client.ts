import type { Worker } from "node:worker_threads";
import type { SearchStreams } from "../../index/search-streams.ts";
import { MemsvcError } from "../../operation/errors.ts";
import { receivedError, type SentError } from "../../operation/sent-error.ts";
import { startThread } from "../../system/start-thread.ts";

/** What a thread is started with. */
export interface ThreadData {
  /** The database's file. */
  readonly path: string;
  readonly duty: ThreadDuty;
}

/**
 * What a thread holds in memory. The thread with the words helps with scans over vectors; requests for that come on the
 * channel.
 */
export type ThreadDuty =
  | { readonly kind: "words"; readonly scanChannel: string }
  | { readonly kind: "vectors"; readonly scanChannel: string; readonly cachePath: string };

type StreamName = keyof SearchStreams;

/** A question, and the stream that is to answer it. */
export type StreamRequest = {
  readonly [Name in StreamName]: {
    readonly stream: Name;
    readonly question: Parameters<SearchStreams[Name]>[0];
  };
}[StreamName];

export type SearchTask =
  | { readonly kind: "ask"; readonly id: number; readonly request: StreamRequest }
  | { readonly kind: "close" };

type Found<Name extends StreamName = StreamName> = Awaited<ReturnType<SearchStreams[Name]>>;

export type SearchReply =
  | { readonly id: number; readonly found: Found }
  | { readonly id: number; readonly error: string; readonly driverCode: string | undefined }
  | { readonly id: number; readonly fault: SentError };

type FailedReply = Exclude<SearchReply, { readonly found: unknown }>;

/**
 * Makes an error of a failed reply. It keeps the driver's code, so that the store handles it like one of this thread.
 */
function errorOf(reply: FailedReply): Error {
  if ("fault" in reply) return receivedError(reply.fault);
  return Object.assign(new Error(reply.error), { code: reply.driverCode });
}

interface Pending {
  readonly request: StreamRequest;
  readonly resolve: (found: Found) => void;
  readonly reject: (error: unknown) => void;
}

/** Size of a thread's young generation. The default is three times as large, and a search makes little garbage. */
const youngMib = 6;

/**
 * Searches on a thread of their own, so that a slow one never keeps a write waiting. A thread that dies is replaced.
 */
export class ThreadClient {
  readonly #threadFile: string;
  readonly #data: ThreadData;
  readonly #failed: (error: Error) => void;
  readonly #pending = new Map<number, Pending>();
  #worker: Worker | undefined;
  #lastId = 0;
  #isClosed = false;
  #restarting: Promise<void> | undefined;

  /**
   * Starts the thread, before the first search needs it. `failed` is called with every failed answer, because the caller
   * may ignore it.
   */
  constructor(threadFile: string, data: ThreadData, failed: (error: Error) => void) {
    this.#failed = failed;
    this.#threadFile = threadFile;
    this.#data = data;
    this.#running();
  }

  /** Number of questions without an answer yet. */
  get pending(): number {
    return this.#pending.size;
  }

  /**
   * Asks the thread. Error: unavailable once it is closed (a question would start a thread that nobody ends), or if it
   * has to be started and the installation has changed.
   */
  async ask<Name extends StreamName>(
    request: StreamRequest & { readonly stream: Name },
  ): Promise<Found<Name>> {
    if (this.#isClosed) throw new MemsvcError("unavailable", "memsvc is stopping", { hint: "try again" });
    // During a restart nothing is sent: the new thread gets all pending questions.
    const worker = this.#restarting === undefined ? this.#running() : undefined;
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise<Found<Name>>((resolve, reject) => {
      // The cast is safe: the thread answers what the stream that was asked finds.
      const answered = resolve as (found: Found) => void;
      this.#pending.set(id, { request, resolve: answered, reject });
      if (worker !== undefined) this.#post(worker, id, request);
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    // Whoever restarts it is told of a failure.
    await this.#restarting?.catch(() => undefined);
    await this.#stop();
  }

  /** Replaces the thread; the new one answers the pending questions. `between` is called while none runs. */
  async restart(between: () => void = () => undefined): Promise<void> {
    this.#restarting ??= this.#restart(between).finally(() => {
      this.#restarting = undefined;
    });
    await this.#restarting;
  }

  async #restart(between: () => void): Promise<void> {
    await this.#stop();
    try {
      between();
      if (this.#isClosed) {
        this.#fail(new Error("the search thread ended"));
        return;
      }
      const worker = this.#running();
      for (const [id, { request }] of this.#pending) this.#post(worker, id, request);
    } catch (error) {
      // Nobody else would answer the pending questions.
      this.#fail(error);
      throw error;
    }
  }

  #post(worker: Worker, id: number, request: StreamRequest): void {
    worker.postMessage({ kind: "ask", id, request } satisfies SearchTask);
  }

  async #stop(): Promise<void> {
    const worker = this.#worker;
    if (worker === undefined) return;
    // While its end is awaited, the thread must keep the process alive; otherwise the process could exit here silently.
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
    const worker = startThread(this.#threadFile, {
      // See store/lock-safe-read.ts.
      trackUnmanagedFds: false,
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
    // A failed thread ends later, when another may already have taken its place.
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

  #fail(error: unknown): void {
    this.#worker = undefined;
    for (const { reject } of this.#pending.values()) reject(error);
    this.#pending.clear();
  }
}

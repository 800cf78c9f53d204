import { Worker } from "node:worker_threads";
import type { KeywordHit, SearchScope } from "./keyword.ts";
import type { KeywordIndex } from "./keyword-index.ts";

export type SearchTask =
  | {
      readonly kind: "search";
      readonly id: number;
      readonly query: string;
      readonly scope: SearchScope;
      readonly limit: number;
    }
  | { readonly kind: "close" };

export type SearchReply =
  | { readonly id: number; readonly hits: KeywordHit[] }
  | { readonly id: number; readonly error: string };

interface Pending {
  readonly resolve: (hits: KeywordHit[]) => void;
  readonly reject: (error: Error) => void;
}

/** What a search leaves behind is small; a thread would let three times as much of it lie about. */
const youngMib = 6;

/** Searches on a thread of their own, so that a slow one never keeps a write waiting. A thread that dies is replaced. */
export class ThreadedKeywordIndex implements KeywordIndex {
  readonly #threadFile: string;
  readonly #databasePath: string;
  readonly #pending = new Map<number, Pending>();
  #worker: Worker | undefined;
  #lastId = 0;

  constructor(threadFile: string, databasePath: string) {
    this.#threadFile = threadFile;
    this.#databasePath = databasePath;
  }

  get state(): "idle" | "busy" | "stopped" {
    if (this.#worker === undefined) return "stopped";
    return this.#pending.size === 0 ? "idle" : "busy";
  }

  /** Starts the thread before the first search needs it. */
  warm(): void {
    this.#running();
  }

  search(query: string, scope: SearchScope, limit: number): Promise<KeywordHit[]> {
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.#running().postMessage({ kind: "search", id, query, scope, limit } satisfies SearchTask);
    });
  }

  async close(): Promise<void> {
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
      workerData: { path: this.#databasePath },
      resourceLimits: { maxYoungGenerationSizeMb: youngMib },
    });
    worker.on("message", (reply: SearchReply) => {
      const pending = this.#pending.get(reply.id);
      this.#pending.delete(reply.id);
      if ("hits" in reply) pending?.resolve(reply.hits);
      else pending?.reject(new Error(reply.error));
    });
    worker.on("error", (error) => this.#fail(error));
    worker.on("exit", () => this.#fail(new Error("the search thread ended")));
    worker.unref();
    return worker;
  }

  #fail(error: Error): void {
    this.#worker = undefined;
    for (const { reject } of this.#pending.values()) reject(error);
    this.#pending.clear();
  }
}

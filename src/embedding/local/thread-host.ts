import { availableParallelism } from "node:os";
import { basename } from "node:path";
import type { Worker } from "node:worker_threads";
import { MemsvcError } from "../../operation/errors.ts";
import { startThread } from "../../system/start-thread.ts";
import type { FailureCause, Subject, ThreadReply, ThreadSetup, ThreadTask } from "./thread-protocol.ts";

export type Chunks = readonly (readonly Float32Array[])[];

interface AskOptions {
  readonly isQuery: boolean;
  readonly signal: AbortSignal | undefined;
  /** Owner of the question; `cancelAll` cancels all questions of an owner. */
  readonly owner: object;
}

interface Pending {
  readonly owner: object;
  /** Folder of the model that is asked. */
  readonly folder: string;
  readonly resolve: (chunks: Chunks) => void;
  readonly reject: (error: unknown) => void;
}

type Asked = Extract<ThreadTask, { kind: "embed" | "look" }>;

const heapMib = 256;

/**
 * The only embedding thread of the process. It lives as long as the process, and there is never a second one: the
 * native library keeps references to the thread that loaded it first, and with a later thread it would write into freed
 * memory. While idle it does not keep the process alive, and the process may safely end.
 */
export class ThreadHost {
  static #only: ThreadHost | undefined;
  readonly #worker: Worker;
  readonly #pending = new Map<number, Pending>();
  #lastId = 0;
  /** Why the thread has ended; undefined while it runs. */
  #ended: Error | undefined;

  private constructor(threadFile: string) {
    const processors = Math.max(1, Math.min(4, Math.floor(availableParallelism() / 2)));
    this.#worker = startThread(threadFile, {
      workerData: { processors } satisfies ThreadSetup,
      resourceLimits: { maxOldGenerationSizeMb: heapMib },
      // Captured, because the model library prints warnings there; real problems come as errors.
      stdout: true,
      stderr: true,
    });
    this.#worker.on("message", (reply: ThreadReply) => {
      const pending = this.#settle(reply.id);
      if ("chunks" in reply) pending?.resolve(reply.chunks);
      else pending?.reject(failure(reply.cause, reply.error, pending.folder));
    });
    this.#worker.on("error", (error) => this.#end(error));
    this.#worker.on("exit", () => this.#end(new Error("the embedding thread ended")));
    this.#worker.unref();
  }

  /** The thread, started when it is first asked for. */
  static of(threadFile: string): ThreadHost {
    ThreadHost.#only ??= new ThreadHost(threadFile);
    return ThreadHost.#only;
  }

  /** The vectors of texts. Errors: unavailable, provider_failed. */
  embed(folder: string, texts: readonly string[], options: AskOptions): Promise<Chunks> {
    const { isQuery } = options;
    return this.#ask({ kind: "embed", id: this.#nextId(), folder, texts, isQuery }, options);
  }

  /** The vector of a text or an image, by an image model. Errors: unavailable, provider_failed, invalid_input. */
  look(folder: string, subject: Subject, options: AskOptions): Promise<Chunks> {
    const { isQuery } = options;
    return this.#ask({ kind: "look", id: this.#nextId(), folder, subject, isQuery }, options);
  }

  /** Unloads a model, after the current run. */
  async unload(folder: string): Promise<void> {
    if (this.#ended !== undefined) return;
    await this.#send({ kind: "unload", id: this.#nextId(), folder }, this);
  }

  /** Cancels all questions of an owner, which reject with the reason. */
  cancelAll(owner: object, reason: unknown): void {
    for (const [id, pending] of this.#pending) if (pending.owner === owner) this.#cancel(id, reason);
  }

  #ask(task: Asked, { signal, owner }: AskOptions): Promise<Chunks> {
    signal?.throwIfAborted();
    const cancel = () => this.#cancel(task.id, signal?.reason);
    signal?.addEventListener("abort", cancel, { once: true });
    return this.#send(task, owner).finally(() => signal?.removeEventListener("abort", cancel));
  }

  #cancel(id: number, reason: unknown): void {
    this.#worker.postMessage({ kind: "cancel", id } satisfies ThreadTask);
    this.#settle(id)?.reject(reason);
  }

  #nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  #send(task: Exclude<ThreadTask, { kind: "cancel" }>, owner: object): Promise<Chunks> {
    return new Promise((resolve, reject) => {
      if (this.#ended !== undefined) {
        reject(failure("runtime", this.#ended.message, task.folder));
        return;
      }
      this.#pending.set(task.id, { owner, folder: task.folder, resolve, reject });
      // Keeps the process alive until the answer: a command that asks once has nothing else that does.
      this.#worker.ref();
      this.#worker.postMessage(task);
    });
  }

  #settle(id: number): Pending | undefined {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    if (this.#pending.size === 0) this.#worker.unref();
    return pending;
  }

  #end(error: Error): void {
    this.#ended ??= error;
    for (const { reject, folder } of this.#pending.values())
      reject(failure("runtime", error.message, folder));
    this.#pending.clear();
  }
}

function failure(cause: FailureCause, reason: string, folder: string): MemsvcError {
  const name = basename(folder);
  const shown = (reason.split("\n")[0] ?? "").slice(0, 300);
  switch (cause) {
    case "runtime":
      return new MemsvcError("unavailable", `the ONNX runtime does not work on this machine: ${shown}`, {
        hint: "set MEMSVC_EMBEDDING_PROVIDER=static for a model that needs no runtime, or none",
      });
    case "model":
      return new MemsvcError("unavailable", `the embedding model ${name} cannot be loaded: ${shown}`, {
        hint: "check its files: memsvc models verify",
      });
    case "texts":
      return new MemsvcError("provider_failed", `the embedding model ${name} failed: ${shown}`, {
        extra: { refused: true },
      });
    case "image":
      return new MemsvcError("invalid_input", `the image cannot be read: ${shown}`, {
        hint: "only PNG, JPEG and WebP images are supported",
      });
  }
}

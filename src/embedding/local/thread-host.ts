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
  /** Whose question it is, for `cancelAll`. */
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
 * The process's one thread for models. There is never a second one, and it lives as long as the process: the native
 * library keeps references to the thread that loaded it first, and a later thread would make it write into memory
 * that is no longer its own. At rest it does not keep the process alive, and then it is safe to end with it.
 */
export class ThreadHost {
  static #only: ThreadHost | undefined;
  readonly #worker: Worker;
  readonly #pending = new Map<number, Pending>();
  #lastId = 0;
  /** Why there is no thread any more. */
  #ended: Error | undefined;

  private constructor(threadFile: string) {
    const processors = Math.max(1, Math.min(4, Math.floor(availableParallelism() / 2)));
    this.#worker = startThread(threadFile, {
      workerData: { processors } satisfies ThreadSetup,
      resourceLimits: { maxOldGenerationSizeMb: heapMib },
      // The model library writes its warnings there; what matters of them comes as an error.
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

  /** The vector of a text or of an image, by a model of images. Errors: unavailable, provider_failed, invalid_input. */
  look(folder: string, subject: Subject, options: AskOptions): Promise<Chunks> {
    const { isQuery } = options;
    return this.#ask({ kind: "look", id: this.#nextId(), folder, subject, isQuery }, options);
  }

  /** Gives a model's memory back, after the run that is under way. */
  async unload(folder: string): Promise<void> {
    if (this.#ended !== undefined) return;
    await this.#send({ kind: "unload", id: this.#nextId(), folder }, this);
  }

  /** Ends what somebody waits for. */
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
      // A command that asks once has nothing else that keeps it alive until the answer.
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

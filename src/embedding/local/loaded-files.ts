import { join } from "node:path";
import { MemsvcError } from "../../operation/errors.ts";
import { packageFolder } from "../../store/migrations.ts";
import { type Chunks, ThreadHost } from "./thread-host.ts";

export interface LoadedFilesOptions {
  /** Folder of the model's files. */
  readonly folder: string;
  /** Path of the built thread; this package's own unless given. */
  readonly threadFile?: string;
  /** The model is unloaded after this long without work; ten minutes unless given. */
  readonly idleMs?: number;
}

const tenMinutesMs = 600_000;

/** A model in the embedding thread: loaded at the first question, and unloaded when none came for long. */
export class LoadedFiles {
  readonly #folder: string;
  readonly #threadFile: string;
  readonly #idleMs: number;
  #idle: NodeJS.Timeout | undefined;
  #asked = 0;
  #isLoaded = false;
  #isClosed = false;

  constructor({ folder, threadFile = builtThread(), idleMs = tenMinutesMs }: LoadedFilesOptions) {
    this.#folder = folder;
    this.#threadFile = threadFile;
    this.#idleMs = idleMs;
  }

  /** Whether the model may be in memory. */
  get isLoaded(): boolean {
    return this.#isLoaded;
  }

  /** Asks the thread a question for this model. Errors: those of the question; provider_failed once closed. */
  async ask(
    question: (host: ThreadHost, folder: string, owner: object) => Promise<Chunks>,
    signal: AbortSignal | undefined,
  ): Promise<Chunks> {
    signal?.throwIfAborted();
    if (this.#isClosed) throw closed();
    clearTimeout(this.#idle);
    this.#isLoaded = true;
    this.#asked += 1;
    try {
      return await question(ThreadHost.of(this.#threadFile), this.#folder, this);
    } finally {
      this.#asked -= 1;
      if (this.#asked === 0 && !this.#isClosed) {
        this.#idle = setTimeout(() => void this.#unload(), this.#idleMs);
        this.#idle.unref();
      }
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#isLoaded) ThreadHost.of(this.#threadFile).cancelAll(this, closed());
    await this.#unload();
  }

  async #unload(): Promise<void> {
    clearTimeout(this.#idle);
    if (!this.#isLoaded) return;
    this.#isLoaded = false;
    await ThreadHost.of(this.#threadFile).unload(this.#folder);
  }
}

function builtThread(): string {
  return join(packageFolder(), "dist", "embedding-thread.cjs");
}

function closed(): MemsvcError {
  return new MemsvcError("provider_failed", "the embedding model was closed");
}

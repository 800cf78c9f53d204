export interface LoopOptions {
  /** Does what waits, until the signal ends it. */
  readonly work: (signal: AbortSignal) => Promise<void>;
  readonly everyMs: number;
  /** How long after its start it looks first; at once unless given. */
  readonly firstAfterMs?: number;
  /** Told of the first failure in a row. */
  readonly failing: (error: unknown) => void;
  /** How long a failure asks for rest, where it does. */
  readonly restMs?: (error: unknown) => number | undefined;
}

/** What fails is tried again after pauses that double up to this. */
const longestPauseMs = 300_000;
const longestRestMs = 600_000;

/** Work that is looked for again and again in the background until closed, never twice at once. */
export class BackgroundLoop {
  readonly #options: LoopOptions;
  #closing = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #failures = 0;

  constructor(options: LoopOptions) {
    this.#options = options;
  }

  get signal(): AbortSignal {
    return this.#closing.signal;
  }

  get state(): "idle" | "busy" | "stopped" {
    if (this.signal.aborted) return "stopped";
    return this.#running === undefined ? "idle" : "busy";
  }

  /** Looks from now on. */
  start(): void {
    this.#wakeIn(this.#options.firstAfterMs ?? 0);
  }

  /** Looks now. */
  wake(): void {
    if (this.signal.aborted || this.#running !== undefined) return;
    clearTimeout(this.#timer);
    this.#running = this.#work().then((delayMs) => {
      this.#running = undefined;
      if (!this.signal.aborted) this.#wakeIn(delayMs);
    });
  }

  #wakeIn(delayMs: number): void {
    this.#timer = setTimeout(() => this.wake(), delayMs);
    this.#timer.unref();
  }

  /** Ends when the work that is under way has heeded the signal. */
  async close(): Promise<void> {
    this.#closing.abort();
    clearTimeout(this.#timer);
    await this.#running;
  }

  /** Looks for nothing while the work given is done, and afterwards at once. */
  async pauseFor<T>(work: () => Promise<T>): Promise<T> {
    await this.close();
    try {
      return await work();
    } finally {
      this.#closing = new AbortController();
      this.wake();
    }
  }

  /** Returns after how many milliseconds to look again. */
  async #work(): Promise<number> {
    const { work, everyMs, failing, restMs } = this.#options;
    try {
      await work(this.signal);
      this.#failures = 0;
      return everyMs;
    } catch (error) {
      if (this.signal.aborted) return everyMs;
      if (this.#failures === 0) failing(error);
      this.#failures += 1;
      const pauseMs = Math.min(longestPauseMs, everyMs * 2 ** this.#failures);
      return Math.max(pauseMs, Math.min(longestRestMs, restMs?.(error) ?? 0));
    }
  }
}

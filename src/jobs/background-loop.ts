export interface LoopOptions {
  /** Does the pending work; it should end early when the signal is aborted. */
  readonly work: (signal: AbortSignal) => Promise<void>;
  readonly everyMs: number;
  /** Delay of the first run after the start; none unless given. */
  readonly firstAfterMs?: number;
  /** Called with the first of several failures in a row. */
  readonly failing: (error: unknown) => void;
  /** The pause that a failure asks for; undefined when it asks for none. */
  readonly restMs?: (error: unknown) => number | undefined;
}

/** After failures the pause doubles each time, up to this. */
const longestPauseMs = 300_000;
const longestRestMs = 600_000;

/** Runs work in the background at intervals, until it is closed; never twice at the same time. */
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

  /** Starts the loop. */
  start(): void {
    this.#wakeIn(this.#options.firstAfterMs ?? 0);
  }

  /** Runs the work now. */
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

  /** Stops the loop: aborts the signal, and waits for the end of the current run. */
  async close(): Promise<void> {
    this.#closing.abort();
    clearTimeout(this.#timer);
    await this.#running;
  }

  /** Pauses the loop while the given work runs; afterwards it runs at once. */
  async pauseFor<T>(work: () => Promise<T>): Promise<T> {
    await this.close();
    try {
      return await work();
    } finally {
      this.#closing = new AbortController();
      this.wake();
    }
  }

  /** Runs the work; returns after how many milliseconds to run it again. */
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

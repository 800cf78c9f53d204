import { untilEnded } from "./until-ended.ts";

/**
 * One run of a loop. It never rejects, should end early when the signal is aborted, and resolves to the pause before
 * the next run.
 */
export type LoopRun = (signal: AbortSignal) => Promise<number>;

/**
 * Runs work in the background again and again until it is closed; never twice at the same time, and without keeping
 * the process alive.
 */
export class BackgroundLoop {
  readonly #run: LoopRun;
  readonly #firstAfterMs: number;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  /** Whether the loop was woken since the current run began. */
  #isWoken = false;
  /** Aborted while the loop is paused, and once it is closed. */
  #halt = new AbortController();
  #isClosed = false;

  /** `firstAfterMs`: delay of the first run after the start; none unless given. */
  constructor(run: LoopRun, { firstAfterMs = 0 } = {}) {
    this.#run = run;
    this.#firstAfterMs = firstAfterMs;
  }

  get signal(): AbortSignal {
    return this.#halt.signal;
  }

  get state(): "idle" | "busy" | "stopped" {
    if (this.#isClosed) return "stopped";
    return this.#running === undefined ? "idle" : "busy";
  }

  /** Starts the loop. */
  start(): void {
    this.#wakeIn(this.#firstAfterMs);
  }

  /** Runs the work now, or once more after the current run, which may have missed what there is to do. */
  wake(): void {
    this.#isWoken = true;
    if (this.signal.aborted || this.#running !== undefined) return;
    clearTimeout(this.#timer);
    this.#isWoken = false;
    this.#running = this.#run(this.signal).then((pauseMs) => {
      this.#running = undefined;
      if (!this.signal.aborted) this.#wakeIn(this.#isWoken ? 0 : pauseMs);
    });
  }

  /**
   * Ends the current run, and starts no other until the given work is done; then one at once, unless the loop was
   * closed meanwhile. Error: unavailable when the run does not end in time.
   */
  async pauseFor<T>(work: () => Promise<T>): Promise<T> {
    this.#hold();
    try {
      await untilEnded(Promise.resolve(this.#running));
      return await work();
    } finally {
      if (!this.#isClosed) {
        this.#halt = new AbortController();
        this.wake();
      }
    }
  }

  /** Stops the loop for good: aborts the signal, and waits for the end of the current run. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#hold();
    await this.#running;
  }

  #hold(): void {
    this.#halt.abort();
    clearTimeout(this.#timer);
  }

  #wakeIn(delayMs: number): void {
    this.#timer = setTimeout(() => this.wake(), delayMs);
    this.#timer.unref();
  }
}

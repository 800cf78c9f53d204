import { setTimeout as sleep } from "node:timers/promises";
import { MemsvcError } from "../operation/errors.ts";
import { beforeTimeout } from "../time/before-timeout.ts";

/** How long a request waits while the lock is held exclusively. */
const waitMs = 5_000;
/** How long an exclusive work waits for the requests inside to end. */
const leaveMs = 30_000;
const lookMs = 10;

/** Runs requests side by side, and holds new ones back while something needs the store for itself. */
export class SharedExclusiveLock {
  #inside = 0;
  #exclusive: Promise<unknown> | undefined;

  /** Error: unavailable when the lock is still held exclusively after 5 s. */
  async runShared(work: () => Promise<void>): Promise<void> {
    if (this.#exclusive !== undefined) await this.#opened();
    this.#inside += 1;
    try {
      await work();
    } finally {
      this.#inside -= 1;
    }
  }

  /**
   * Runs `work` for one of the requests inside, once all others have left; no request gets in until it has ended.
   * Error: unavailable when the others do not leave within 30 s.
   */
  async runExclusive<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#whenAlone(work);
    const exclusive = done.catch(() => undefined);
    this.#exclusive = exclusive;
    try {
      return await done;
    } finally {
      if (this.#exclusive === exclusive) this.#exclusive = undefined;
    }
  }

  async #whenAlone<T>(work: () => Promise<T>): Promise<T> {
    for (let waitedMs = 0; this.#inside > 1; waitedMs += lookMs) {
      if (waitedMs >= leaveMs) {
        throw new MemsvcError("unavailable", "running requests do not finish; nothing was changed");
      }
      await sleep(lookMs);
    }
    return work();
  }

  async #opened(): Promise<void> {
    const opened = await beforeTimeout(Promise.resolve(this.#exclusive), waitMs);
    if (opened === "late" && this.#exclusive !== undefined)
      throw new MemsvcError("unavailable", "the store is being restored");
  }
}

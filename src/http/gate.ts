import { setTimeout as sleep } from "node:timers/promises";
import { MemsvcError } from "../operation/errors.ts";

/** How long a request waits for a gate that is shut. */
const waitMs = 5_000;
/** How long those inside may take to end when it is to be shut. */
const leaveMs = 30_000;
const lookMs = 10;

/** Lets requests in, and keeps them out while something needs the store for itself. */
export class Gate {
  #inside = 0;
  #shut: Promise<unknown> | undefined;

  /** Error: unavailable when the gate stays shut for 5 s. */
  async pass(work: () => Promise<void>): Promise<void> {
    if (this.#shut !== undefined) await this.#opened();
    this.#inside += 1;
    try {
      await work();
    } finally {
      this.#inside -= 1;
    }
  }

  /**
   * Runs a work that one of the requests inside asks for, once the others have left, and lets nobody in until it
   * has ended. Error: unavailable when they do not leave in time.
   */
  async shutFor<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#whenAlone(work);
    const shut = done.catch(() => undefined);
    this.#shut = shut;
    try {
      return await done;
    } finally {
      if (this.#shut === shut) this.#shut = undefined;
    }
  }

  async #whenAlone<T>(work: () => Promise<T>): Promise<T> {
    for (let waitedMs = 0; this.#inside > 1; waitedMs += lookMs) {
      if (waitedMs >= leaveMs) {
        throw new MemsvcError("unavailable", "requests that are running do not end; nothing was changed");
      }
      await sleep(lookMs);
    }
    return work();
  }

  async #opened(): Promise<void> {
    const tooLate = Symbol();
    const first = await Promise.race([this.#shut, sleep(waitMs, tooLate, { ref: false })]);
    if (first === tooLate && this.#shut !== undefined)
      throw new MemsvcError("unavailable", "the store is being restored");
  }
}

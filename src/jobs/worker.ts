import { setTimeout as sleep } from "node:timers/promises";
import type { Ground } from "../ground.ts";
import { MemsvcError } from "../operation/errors.ts";
import { claimJob, type DueJob } from "./claim-job.ts";
import { claimerName } from "./claimer.ts";
import {
  enqueue,
  failJob,
  finishJob,
  type Job,
  type NewJob,
  nextDue,
  postponeJob,
  sweepKey,
} from "./jobs.ts";
import { withClaim } from "./renewed-claim.ts";
import { retryAfterMs } from "./retry-after.ts";
import { clockPlayMs, followClock, holdIfLate } from "./wrong-clock.ts";

/** What a kind of job does. Its effect must bear being done twice. */
export interface JobHandler {
  readonly kind: string;
  readonly run: (job: Job) => Promise<void>;
  /** It may take minutes, such as one that asks a language model: the daemon runs these beside the others. */
  readonly isSlow?: boolean;
  /** It is no command's own business, which is to end: only the daemon runs it. */
  readonly onlyInDaemon?: boolean;
  /** Ids of jobs that this process does beside its workers, which are not to take them up. */
  readonly underWay?: ReadonlySet<string>;
  /** It deletes for good what has grown old. */
  readonly deletesByAge?: true;
  /** For sweeps: how long after one run the next is due, and how long after the start the first. */
  readonly repeats?: { readonly everyMs: number; readonly firstAfterMs: number };
}

const longestSleepMs = 30_000;
const longestJobWaitMs = 30_000;

/** Runs due jobs one after another, sleeping until the next is due. */
export class JobWorker {
  readonly #ground: Ground;
  readonly #handlers: ReadonlyMap<string, JobHandler>;
  readonly #name = claimerName();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #stopped = false;
  #paused = false;
  /** Work came in while some was being done. */
  #woken = false;
  /** When it was last looked for due work. */
  #lookedAt = Number.NEGATIVE_INFINITY;

  private constructor(ground: Ground, handlers: readonly JobHandler[]) {
    this.#ground = ground;
    this.#handlers = new Map(handlers.map((handler) => [handler.kind, handler]));
  }

  static async open(ground: Ground, handlers: readonly JobHandler[]): Promise<JobWorker> {
    const worker = new JobWorker(ground, handlers);
    await worker.scheduleRepeats();
    worker.wake();
    return worker;
  }

  /** Does what is due and no more, for a process that is about to end. */
  static async runDue(ground: Ground, handlers: readonly JobHandler[]): Promise<void> {
    await new JobWorker(ground, handlers).#drain();
  }

  get state(): "idle" | "busy" | "stopped" {
    if (this.#stopped) return "stopped";
    return this.#running === undefined ? "idle" : "busy";
  }

  /** Looks for due work now; called when some was enqueued. */
  wake(): void {
    this.#woken = true;
    if (this.#stopped || this.#paused || this.#running !== undefined) return;
    clearTimeout(this.#timer);
    this.#running = this.#work().then((delayMs) => {
      this.#running = undefined;
      if (this.#stopped || this.#paused) return;
      this.#timer = setTimeout(() => this.wake(), this.#woken ? 0 : delayMs);
      this.#timer.unref();
    });
  }

  /** Does what is due; returns after how many milliseconds more will be. */
  async #work(): Promise<number> {
    this.#woken = false;
    try {
      await this.#followClock();
      await this.#drain();
      const due = await nextDue(this.#ground, [...this.#handlers.keys()], this.#underWay());
      if (due !== undefined) return Math.min(longestSleepMs, Math.max(0, due - this.#ground.now()));
    } catch (error) {
      // Trying again at once would spin for as long as the store cannot be read.
      this.#ground.log("error", "the job queue could not be read", { error: String(error) });
    }
    return longestSleepMs;
  }

  /** What waits would wait for the times of a clock that was set back. */
  async #followClock(): Promise<void> {
    const now = this.#ground.now();
    if (now < this.#lookedAt - clockPlayMs) await this.scheduleRepeats();
    this.#lookedAt = now;
  }

  /**
   * Lets the running job end and takes no other until the work given is done. Error: unavailable when the job
   * does not end in time.
   */
  async pauseFor<T>(work: () => Promise<T>): Promise<T> {
    this.#paused = true;
    clearTimeout(this.#timer);
    try {
      const isBusy = Symbol();
      const ended = await Promise.race([this.#running, sleep(longestJobWaitMs, isBusy, { ref: false })]);
      if (ended === isBusy) throw new MemsvcError("unavailable", "a background job is still running");
      return await work();
    } finally {
      this.#paused = false;
      this.wake();
    }
  }

  /** Puts the repeating jobs into a queue that may be another than the one at the start, and by another clock. */
  async scheduleRepeats(): Promise<void> {
    await this.#ground.store.write(async (tx) => {
      await followClock(tx, this.#ground);
      for (const handler of this.#handlers.values()) {
        const first = this.#nextRun(handler, handler.repeats?.firstAfterMs);
        if (first !== undefined) await enqueue(tx, this.#ground, first);
      }
    });
  }

  /** Lets the running job end and takes no other. */
  async close(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  async #drain(): Promise<void> {
    const kinds = [...this.#handlers.keys()];
    while (!this.#stopped && !this.#paused) {
      const job = await claimJob(this.#ground, kinds, this.#name, this.#underWay());
      if (job === undefined) return;
      await this.#run(job);
    }
  }

  #underWay(): string[] {
    return [...new Set([...this.#handlers.values()].flatMap(({ underWay = [] }) => [...underWay]))];
  }

  async #run(job: DueJob): Promise<void> {
    const handler = this.#handlers.get(job.kind);
    if (handler === undefined) return;
    if (handler.deletesByAge === true && (await holdIfLate(this.#ground, job))) return;
    try {
      await withClaim(this.#ground, job, () => handler.run(job));
      await finishJob(this.#ground, job, { next: this.#nextRun(handler) });
    } catch (error) {
      await this.#noteFailure(job, error, this.#nextRun(handler));
    }
  }

  async #noteFailure(job: Job, error: unknown, next: NewJob | undefined): Promise<void> {
    const { kind, id, attempts } = job;
    const reason = String(error);
    const delayMs = retryAfterMs(error);
    if (delayMs !== undefined) {
      this.#ground.log("info", "a job waits", { kind, job: id, delayMs, reason });
      await postponeJob(this.#ground, job, { reason, delayMs, next });
      return;
    }
    this.#ground.log("warn", "a job failed", { kind, job: id, attempts, error: reason });
    await failJob(this.#ground, job, reason, { next });
  }

  /** When what repeats is due again after a run, or `afterMs` from now; undefined for what does not. */
  #nextRun({ kind, repeats }: JobHandler, afterMs = repeats?.everyMs): NewJob | undefined {
    return afterMs === undefined
      ? undefined
      : { kind, key: sweepKey, runAfter: this.#ground.now() + afterMs };
  }
}

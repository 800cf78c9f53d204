import type { Ground } from "../ground.ts";
import { claimJob, enqueue, failJob, finishJob, type Job, nextDue } from "./jobs.ts";

/** What a kind of job does. Its effect must bear being done twice. */
export interface JobHandler {
  readonly kind: string;
  readonly run: (job: Job) => Promise<void>;
  /** For sweeps: how long after one run the next is due, and how long after the start the first. */
  readonly repeats?: { readonly everyMs: number; readonly firstAfterMs: number };
}

const longestSleepMs = 30_000;

/** Runs due jobs one after another, sleeping until the next is due. */
export class JobWorker {
  readonly #ground: Ground;
  readonly #handlers: ReadonlyMap<string, JobHandler>;
  readonly #name: string;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #stopped = false;

  private constructor(ground: Ground, handlers: readonly JobHandler[], name: string) {
    this.#ground = ground;
    this.#handlers = new Map(handlers.map((handler) => [handler.kind, handler]));
    this.#name = name;
  }

  static async open(ground: Ground, handlers: readonly JobHandler[]): Promise<JobWorker> {
    const worker = new JobWorker(ground, handlers, `${process.pid}`);
    for (const handler of handlers) await worker.#scheduleRepeat(handler, handler.repeats?.firstAfterMs);
    worker.wake();
    return worker;
  }

  get state(): "idle" | "busy" | "stopped" {
    if (this.#stopped) return "stopped";
    return this.#running === undefined ? "idle" : "busy";
  }

  /** Looks for due work now; called when some was enqueued. */
  wake(): void {
    if (this.#stopped || this.#running !== undefined) return;
    clearTimeout(this.#timer);
    this.#running = this.#drain()
      .catch((error: unknown) =>
        this.#ground.log("error", "the job queue could not be read", { error: String(error) }),
      )
      .then(() => {
        this.#running = undefined;
        return this.#sleep();
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
    while (!this.#stopped) {
      const job = await claimJob(this.#ground, kinds, this.#name);
      if (job === undefined) return;
      await this.#run(job);
    }
  }

  async #run(job: Job): Promise<void> {
    const handler = this.#handlers.get(job.kind);
    if (handler === undefined) return;
    try {
      await handler.run(job);
      await finishJob(this.#ground, job);
    } catch (error) {
      this.#ground.log("warn", "a job failed", {
        kind: job.kind,
        job: job.id,
        attempts: job.attempts,
        error: String(error),
      });
      await failJob(this.#ground, job, String(error));
    }
    await this.#scheduleRepeat(handler, handler.repeats?.everyMs);
  }

  async #scheduleRepeat(handler: JobHandler, afterMs: number | undefined): Promise<void> {
    if (afterMs === undefined) return;
    const { store, now } = this.#ground;
    await store.write((tx) =>
      enqueue(tx, this.#ground, { kind: handler.kind, key: "sweep", runAfter: now() + afterMs }),
    );
  }

  async #sleep(): Promise<void> {
    if (this.#stopped) return;
    const due = (await nextDue(this.#ground, [...this.#handlers.keys()])) ?? Number.POSITIVE_INFINITY;
    const delayMs = Math.min(longestSleepMs, Math.max(0, due - this.#ground.now()));
    this.#timer = setTimeout(() => this.wake(), delayMs);
    this.#timer.unref();
  }
}

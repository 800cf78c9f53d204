import type { Ground } from "../ground.ts";
import { firstColumn, type Sql } from "../store/sql.ts";
import type { Transaction } from "../store/store.ts";
import { BackgroundLoop } from "./background-loop.ts";
import { carryOut } from "./carry-out.ts";
import { claimJob, type DueJob, endClaimsOfGone } from "./claim-job.ts";
import { claimerName } from "./claimer.ts";
import { enqueue, hastenJobs, type Job, type NewJob, nextDue, sweepKey } from "./jobs.ts";
import { clockPlayMs, followClock, holdIfLate } from "./wrong-clock.ts";

/** What a kind of job does. A job may run twice, and its effect must bear that. */
export interface JobHandler {
  readonly kind: string;
  readonly run: (job: Job) => Promise<void>;
  /** Jobs that may take minutes, such as asking a language model. The daemon runs them apart from the others. */
  readonly isSlow?: boolean;
  /** Only the daemon runs the job, and not a command, which should end soon. */
  readonly onlyInDaemon?: boolean;
  /** The job is queued for later only to do more work at once; a process that is about to end runs it right away. */
  readonly gathersWork?: boolean;
  /** Ids of jobs that this process runs outside its workers; workers must not take them. */
  readonly underWay?: ReadonlySet<string>;
  /** The job comes from a request, and what that asks for may be impossible by now. */
  readonly mayBeRefused?: true;
  /** The job deletes old data for good. */
  readonly deletesByAge?: true;
  /** For sweeps: the interval between two runs, and the delay of the first after the start. */
  readonly repeats?: { readonly everyMs: number; readonly firstAfterMs: number };
}

/**
 * Work in a transaction for a clock that was set back, which may have made it right or wrong. `from`: a time that it
 * did not reach before.
 */
type WhenSetBack = (tx: Transaction, from: number) => Promise<void>;

const longestSleepMs = 30_000;

/** Runs due jobs one after another, sleeping until the next is due. */
export class JobWorker {
  readonly #ground: Ground;
  readonly #handlers: ReadonlyMap<string, JobHandler>;
  readonly #whenSetBack: WhenSetBack | undefined;
  readonly #name = claimerName();
  readonly #loop = new BackgroundLoop(() => this.#work());
  /** When the worker last looked for due work, by the wall clock. */
  #lookedAt = Number.NEGATIVE_INFINITY;

  private constructor(ground: Ground, handlers: readonly JobHandler[], whenSetBack?: WhenSetBack) {
    this.#ground = ground;
    this.#handlers = new Map(handlers.map((handler) => [handler.kind, handler]));
    this.#whenSetBack = whenSetBack;
  }

  static async open(
    ground: Ground,
    handlers: readonly JobHandler[],
    whenSetBack?: WhenSetBack,
  ): Promise<JobWorker> {
    const worker = new JobWorker(ground, handlers, whenSetBack);
    await endClaimsOfGone(ground);
    await worker.scheduleRepeats();
    worker.wake();
    return worker;
  }

  /** Runs the jobs that are due now and then stops, for a process that is about to end. */
  static async runDue(ground: Ground, handlers: readonly JobHandler[]): Promise<void> {
    await hastenJobs(
      ground,
      handlers.filter(({ gathersWork = false }) => gathersWork).map(({ kind }) => kind),
    );
    await new JobWorker(ground, handlers).#drain();
  }

  get state(): "idle" | "busy" | "stopped" {
    return this.#loop.state;
  }

  /** Looks for due work now. To be called when work was enqueued. */
  wake(): void {
    this.#loop.wake();
  }

  /**
   * Waits for the end of the running job, and takes no other until the given work is done. Error: unavailable when the
   * job does not end in time.
   */
  pauseFor<T>(work: () => Promise<T>): Promise<T> {
    return this.#loop.pauseFor(work);
  }

  /** Stops the worker, after the end of the running job. */
  close(): Promise<void> {
    return this.#loop.close();
  }

  /** Runs due jobs; returns after how many milliseconds to look again. */
  async #work(): Promise<number> {
    try {
      await this.#followClock();
      await this.#drain();
      const due = await nextDue(this.#ground, [...this.#handlers.keys()], this.#underWay());
      if (due !== undefined) return Math.min(longestSleepMs, Math.max(0, due - this.#ground.now()));
    } catch (error) {
      // Not retried at once, which would spin for as long as the store cannot be read.
      this.#ground.log("error", "the job queue could not be read", { error: String(error) });
    }
    return longestSleepMs;
  }

  /** Schedules jobs anew when the clock was set back; otherwise they would wait for times that are too late. */
  async #followClock(): Promise<void> {
    const now = this.#ground.now();
    const isSetBack = now < this.#lookedAt - clockPlayMs;
    if (isSetBack) await this.scheduleRepeats({ setBackFrom: this.#lookedAt + longestSleepMs });
    this.#lookedAt = now;
  }

  /** Queues the sweeps. Also called when the database was replaced or the clock was set back. */
  async scheduleRepeats({ setBackFrom }: { readonly setBackFrom?: number } = {}): Promise<void> {
    await this.#ground.store.write(async (tx) => {
      const from = (await followClock(tx, this.#ground)) ?? setBackFrom;
      if (from !== undefined) await this.#whenSetBack?.(tx, from);
      const underWay = await runningSweeps(tx.sql);
      for (const handler of this.#handlers.values()) {
        // Its end queues the next run. If its process was killed, it is taken up again; a second one beside it would not
        // come late, and a clock that is ahead would go unnoticed.
        if (underWay.includes(handler.kind)) continue;
        const first = this.#nextRun(handler, handler.repeats?.firstAfterMs);
        if (first !== undefined) await enqueue(tx, this.#ground, first);
      }
    });
  }

  async #drain(): Promise<void> {
    const kinds = [...this.#handlers.keys()];
    while (!this.#loop.signal.aborted) {
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
    const outcome = await carryOut(this.#ground, job, () => handler.run(job), {
      mayBeRefused: handler.mayBeRefused,
      next: () => this.#nextRun(handler),
    });
    if (outcome.kind !== "refused") return;
    const { kind, id } = job;
    this.#ground.log("info", "a job is no longer wanted", { kind, job: id, error: String(outcome.error) });
  }

  /** The next run of a sweep, `afterMs` from now; undefined for jobs that do not repeat. */
  #nextRun({ kind, repeats }: JobHandler, afterMs = repeats?.everyMs): NewJob | undefined {
    return afterMs === undefined
      ? undefined
      : { kind, key: sweepKey, runAfter: this.#ground.now() + afterMs };
  }
}

/** The kinds of sweeps that are being run, or were when their process ended. */
function runningSweeps(sql: Sql): Promise<string[]> {
  return firstColumn(sql, "SELECT kind FROM jobs WHERE status = 'running' AND key = ?", [sweepKey]);
}

import type { Ground } from "../ground.ts";
import type { Queued } from "../operation/long-operation.ts";
import { beforeTimeout } from "../time/before-timeout.ts";
import { carryOut } from "./carry-out.ts";
import { startJob } from "./claim-job.ts";
import type { Job } from "./jobs.ts";
import { retryAfterMs } from "./retry-after.ts";
import { untilEnded } from "./until-ended.ts";
import type { JobHandler } from "./worker.ts";

/*
 * Work that a request asks for and that may outlast the request. It is a job from the start, so a crash loses nothing:
 * the worker of the next start takes it up. This process runs it at once, beside the worker, and the request waits for
 * a while; other requests for the same work wait for the same run.
 */

export interface LongWork {
  readonly kind: string;
  /** Work of the same kind and key is the same work. */
  readonly key: string;
  readonly payload: Readonly<Record<string, unknown>>;
  /** If a job for the same work is queued for another try, the run takes over what that has stored in its payload. */
  readonly goesOn?: true;
}

type Run = (job: Job) => Promise<unknown>;

interface UnderWay {
  readonly job: Promise<Pick<Job, "id">>;
  readonly result: Promise<unknown>;
  /** Requests that still wait for it. */
  waiting: number;
}

export class LongRuns {
  readonly #ground: Ground;
  readonly #runs = new Map<string, Run>();
  readonly #underWay = new Map<string, UnderWay>();
  readonly #jobsUnderWay = new Set<string>();

  constructor(ground: Ground) {
    this.#ground = ground;
  }

  /** Registers what a kind of long work does. It may run twice, and its effect must bear that. */
  register(kind: string, run: Run): void {
    this.#runs.set(kind, run);
  }

  /**
   * Handlers for the job queue, which runs work that a crash interrupted, or that failed when no request waited for it.
   */
  handlers(): JobHandler[] {
    return [...this.#runs].map(([kind, run]) => ({
      kind,
      isSlow: true,
      mayBeRefused: true,
      underWay: this.#jobsUnderWay,
      run: (job) => this.#joinable(job, run(job)),
    }));
  }

  /**
   * Does the work and returns its result, or `queued` after `waitMs`; at once when the work itself has to wait, or when
   * another process already does it. If the work fails while the caller waits, the caller gets the error; later
   * failures are retried by the job queue. `Result` is what the registered run resolves to.
   */
  async run<Result>(work: LongWork, waitMs: number): Promise<Result | Queued> {
    const name = nameOf(work);
    const running = this.#underWay.get(name) ?? this.#start(name, work);
    running.waiting += 1;
    try {
      const { id: jobId } = await running.job;
      const outcome = await beforeTimeout(running.result, waitMs);
      // The cast relies on the caller: the run that is registered for this kind must resolve to its `Result`.
      return outcome === "late" ? { queued: true, jobId } : (outcome.answer as Result | Queued);
    } finally {
      running.waiting -= 1;
    }
  }

  /** Waits until all work that this process runs has ended. */
  async settled(): Promise<void> {
    await Promise.allSettled([...this.#underWay.values()].map(({ result }) => result));
  }

  /**
   * Does other work once all runs of this process have ended; the caller holds new ones back. Error: unavailable when
   * they do not end in time.
   */
  async pauseFor<T>(work: () => Promise<T>): Promise<T> {
    await untilEnded(this.settled());
    return work();
  }

  /** Registers the run before its job is written, so that requests for the same work join it from now on. */
  #start(name: string, work: LongWork): UnderWay {
    const run = this.#runs.get(work.kind);
    if (run === undefined) throw new TypeError(`${work.kind} is no registered long work`);
    const begun = startJob(this.#ground, work);
    const job = begun.then((found) => ("started" in found ? found.started : found.elsewhere));
    const result = begun.then((found) =>
      "started" in found
        ? this.#runNow(found.started, run, () => entry.waiting > 0)
        : ({ queued: true, jobId: found.elsewhere.id } satisfies Queued),
    );
    const entry: UnderWay = { job, result, waiting: 0 };
    this.#note(name, entry);
    return entry;
  }

  /** Registers a run of the worker, so that requests for the same work wait for it. */
  async #joinable(job: Job, result: Promise<unknown>): Promise<void> {
    const name = nameOf(job);
    if (!this.#underWay.has(name)) {
      const told = result.catch((error: unknown) => {
        if (retryAfterMs(error) === undefined) throw error;
        return { queued: true, jobId: job.id } satisfies Queued;
      });
      this.#note(name, { job: Promise.resolve(job), result: told, waiting: 0 });
    }
    await result;
  }

  #note(name: string, entry: UnderWay): void {
    this.#underWay.set(name, entry);
    const end = () => this.#underWay.delete(name);
    entry.result.then(end, end);
  }

  async #runNow(job: Job, run: Run, isAwaited: () => boolean): Promise<unknown> {
    this.#jobsUnderWay.add(job.id);
    try {
      const outcome = await carryOut(this.#ground, job, () => run(job), {
        mayBeRefused: true,
        isTriedAgain: () => !isAwaited(),
      });
      if (outcome.kind === "done") return outcome.result;
      if (outcome.kind === "waits") return { queued: true, jobId: job.id } satisfies Queued;
      throw outcome.error;
    } finally {
      this.#jobsUnderWay.delete(job.id);
    }
  }
}

const nameOf = ({ kind, key }: Pick<LongWork, "kind" | "key">): string => `${kind}\n${key}`;

import type { Ground } from "../ground.ts";
import { errorTable, isMemsvcError } from "../operation/errors.ts";
import type { Queued } from "../operation/long-operation.ts";
import { startJob } from "./claim-job.ts";
import { failJob, finishJob, type Job, postponeJob } from "./jobs.ts";
import { withClaim } from "./renewed-claim.ts";
import { retryAfterMs } from "./retry-after.ts";
import type { JobHandler } from "./worker.ts";

/*
 * Work that a request asks for and that may outlast it. It is a job from the first moment, so a crash loses
 * nothing: the worker of the next start takes it up. This process runs it at once, beside the worker, and the
 * request waits for a while; whoever asks for the same work meanwhile waits for the same run.
 */

export interface LongWork {
  readonly kind: string;
  /** Work of the same kind and key is the same work. */
  readonly key: string;
  readonly payload: Readonly<Record<string, unknown>>;
  /** Where a job for the same work waits to be tried again, it goes on with what that one has noted in its payload. */
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

  /** Says what a kind of long work does. Its effect must bear being done twice. */
  register(kind: string, run: Run): void {
    this.#runs.set(kind, run);
  }

  /** The same work for the job queue: what was left by a crash, or failed after its request had gone. */
  handlers(): JobHandler[] {
    return [...this.#runs].map(([kind, run]) => ({
      kind,
      isSlow: true,
      underWay: this.#jobsUnderWay,
      run: async (job) => {
        try {
          await this.#joinable(job, run(job));
        } catch (error) {
          if (!isRefusal(error)) throw error;
          this.#ground.log("info", "long work is no longer wanted", {
            kind,
            job: job.id,
            error: String(error),
          });
        }
      },
    }));
  }

  /**
   * Does the work and gives its result, or `queued` where it goes on: after `waitMs`, or at once where the work itself
   * has to wait or another process does it already. A failure while the caller waits is thrown to the caller; after
   * that the job queue tries again. `Result` is what the registered run resolves to.
   */
  async run<Result>(work: LongWork, waitMs: number): Promise<Result | Queued> {
    const name = nameOf(work);
    const running = this.#underWay.get(name) ?? this.#start(name, work);
    running.waiting += 1;
    let timer: NodeJS.Timeout | undefined;
    try {
      const { id: jobId } = await running.job;
      const tired = new Promise<Queued>((resolve) => {
        if (waitMs === Infinity) return;
        timer = setTimeout(() => resolve({ queued: true, jobId }), waitMs);
      });
      // The registry is keyed by kind, which ties the run to the caller's idea of its result.
      return await Promise.race([running.result as Promise<Result | Queued>, tired]);
    } finally {
      running.waiting -= 1;
      clearTimeout(timer);
    }
  }

  /** Waits for what this process runs. */
  async settled(): Promise<void> {
    await Promise.allSettled([...this.#underWay.values()].map(({ result }) => result));
  }

  /** Who asks for the same work finds it under way from this moment, before its job is written. */
  #start(name: string, work: LongWork): UnderWay {
    const run = this.#runs.get(work.kind);
    if (run === undefined) throw new TypeError(`${work.kind} is no registered long work`);
    const begun = startJob(this.#ground, work);
    const job = begun.then((found) => ("started" in found ? found.started : found.elsewhere));
    const result = begun.then((found) =>
      "started" in found
        ? this.#carryOut(found.started, run, () => entry.waiting > 0)
        : ({ queued: true, jobId: found.elsewhere.id } satisfies Queued),
    );
    const entry: UnderWay = { job, result, waiting: 0 };
    this.#note(name, entry);
    return entry;
  }

  /** Who asks for what the worker does waits for that. */
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

  async #carryOut(job: Job, run: Run, isAwaited: () => boolean): Promise<unknown> {
    this.#jobsUnderWay.add(job.id);
    try {
      return await this.#toItsEnd(job, run, isAwaited);
    } finally {
      this.#jobsUnderWay.delete(job.id);
    }
  }

  async #toItsEnd(job: Job, run: Run, isAwaited: () => boolean): Promise<unknown> {
    let value: unknown;
    try {
      value = await withClaim(this.#ground, job, () => run(job));
    } catch (error) {
      if (await this.#putBackIfWaiting(job, error)) return { queued: true, jobId: job.id } satisfies Queued;
      await this.#noteFailure(job, error, isAwaited());
      throw error;
    }
    await finishJob(this.#ground, job);
    return value;
  }

  /** Puts work that cannot go on yet back into the queue, which is no failure. Returns whether it did. */
  async #putBackIfWaiting(job: Job, error: unknown): Promise<boolean> {
    const delayMs = retryAfterMs(error);
    if (delayMs === undefined) return false;
    const reason = String(error);
    this.#ground.log("info", "long work waits", { kind: job.kind, job: job.id, delayMs, reason });
    await postponeJob(this.#ground, job, { reason, delayMs });
    return true;
  }

  async #noteFailure(job: Job, error: unknown, isAnswered: boolean): Promise<void> {
    if (isRefusal(error)) return finishJob(this.#ground, job);
    this.#ground.log("warn", "long work failed", { kind: job.kind, job: job.id, error: String(error) });
    await failJob(this.#ground, job, String(error), { again: !isAnswered });
  }
}

const nameOf = ({ kind, key }: Pick<LongWork, "kind" | "key">): string => `${kind}\n${key}`;

/** A request that cannot be carried out, such as one for an unknown record, is done with: no later try would be better. */
function isRefusal(error: unknown): boolean {
  return isMemsvcError(error) && errorTable[error.code].status < 500;
}

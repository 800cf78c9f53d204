import type { Core } from "../core.ts";
import { DocumentEmbedder } from "../embedding/document-embedder.ts";
import type { WorkerState } from "../governance/health/snapshot.ts";
import { pendingLayersOf } from "../graph/structural/pending.ts";
import { reindexGently } from "../index/documents/reindex.ts";
import { purgeHandler } from "../index/words/purge.ts";
import type { BackgroundLoop } from "../jobs/background-loop.ts";
import { dropUnwantedSweeps } from "../jobs/jobs.ts";
import { pauseTogether } from "../jobs/pause-together.ts";
import { frequentSweeps, sweeps } from "../jobs/sweeps.ts";
import { JobWorker } from "../jobs/worker.ts";
import { imageEmbedder } from "../recall/vision/image-embedder.ts";
import { exchangeAllAgain } from "../sharing/mesh/exchange-all-again.ts";

/** Enough to merge the words of a million documents, and short beside the time that a daemon has to stop. */
const purgeMs = 2_000;

interface Parts {
  readonly jobs: JobWorker;
  /** A worker of its own for jobs that may take minutes, so that they do not delay the others. */
  readonly slowJobs: JobWorker;
  readonly embedder: DocumentEmbedder;
  readonly imageLoop: BackgroundLoop;
  readonly frequent: readonly BackgroundLoop[];
}

/** What a daemon does beside answering: jobs, sweeps, and the vectors of what was stored. */
export class BackgroundWork {
  readonly #core: Core;
  readonly #parts: Parts;

  private constructor(core: Core, parts: Parts) {
    this.#core = core;
    this.#parts = parts;
  }

  /** Starts all background work, and gives the core its hooks: to wake it, to pause it, and to report its state. */
  static async start(core: Core): Promise<BackgroundWork> {
    const { ground } = core;
    const handlers = [...core.jobHandlers(), ...sweeps(core)];
    const handlersOf = (slow: boolean) => handlers.filter(({ isSlow = false }) => isSlow === slow);
    const kinds = handlers.map(({ kind }) => kind);
    await dropUnwantedSweeps(ground, kinds);
    await reindexGently(ground);
    const jobs = await JobWorker.open(ground, handlersOf(false), (tx, from) =>
      exchangeAllAgain(tx, ground, from),
    );
    const slowJobs = await JobWorker.open(ground, handlersOf(true)).catch(async (error: unknown) => {
      await jobs.close();
      throw error;
    });
    ground.wakeJobs = () => {
      jobs.wake();
      slowJobs.wake();
    };
    const embedder = DocumentEmbedder.start(ground, core.embeddings);
    const imageLoop = imageEmbedder(ground, core.images);
    imageLoop.wake();
    const frequent = frequentSweeps(core);
    for (const loop of frequent) loop.start();
    ground.store.onReplaced(async () => {
      await dropUnwantedSweeps(ground, kinds);
      await reindexGently(ground);
      await jobs.scheduleRepeats();
      await slowJobs.scheduleRepeats();
      pendingLayersOf(ground).takeUp();
    });
    const work = new BackgroundWork(core, { jobs, slowJobs, embedder, imageLoop, frequent });
    const { keep } = core.snapshots.stillness;
    core.snapshots.stillness = { keep: (restore) => keep(() => work.#pauseFor(restore)) };
    core.health.workers = () => work.#states();
    return work;
  }

  /** Looks now for documents that wait for their vectors. */
  wakeEmbedder(): void {
    this.#parts.embedder.wake();
  }

  /** Ends all of it at once; for a daemon whose start fails. */
  async close(): Promise<void> {
    await Promise.all([this.endJobs(), this.endVectors()]);
  }

  /** Takes no new jobs, and resolves when the running ones have ended. */
  async endJobs(): Promise<void> {
    const { jobs, slowJobs, frequent } = this.#parts;
    await Promise.all([jobs, slowJobs, ...frequent].map((part) => part.close()));
  }

  /**
   * Takes what was deleted out of the files now, instead of after the next start. Call it when nothing else is at work;
   * what is not done within two seconds stays in the queue.
   */
  async purge(): Promise<void> {
    const { ground } = this.#core;
    try {
      await JobWorker.runDue(ground, [purgeHandler(ground, { mostMs: purgeMs })]);
    } catch (error) {
      ground.log("warn", "what was deleted is taken out of the files after the next start", {
        error: String(error),
      });
    }
  }

  /** Stops making vectors; documents that still lack one are found at the next start. */
  async endVectors(): Promise<void> {
    const { embedder, imageLoop } = this.#parts;
    await Promise.all([embedder.close(), imageLoop.close()]);
  }

  #pauseFor<T>(work: () => Promise<T>): Promise<T> {
    const { jobs, slowJobs, embedder, imageLoop, frequent } = this.#parts;
    return pauseTogether([slowJobs, jobs, this.#core.longRuns, embedder, imageLoop, ...frequent], work);
  }

  #states(): WorkerState[] {
    const { jobs, slowJobs, embedder, imageLoop } = this.#parts;
    return [
      { id: "jobs", name: "background jobs", status: jobs.state },
      { id: "slow-jobs", name: "background jobs that take long", status: slowJobs.state },
      { id: "embeddings", name: "vectors of documents", status: embedder.state },
      { id: "images", name: "vectors of images", status: imageLoop.state },
    ];
  }
}

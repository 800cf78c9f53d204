import { statfs } from "node:fs/promises";
import type { IntervalHistogram } from "node:perf_hooks";
import type { Embeddings } from "../../embedding/embeddings.ts";
import type { Ground } from "../../ground.ts";
import { countVectors } from "../../index/vectors/vectors.ts";
import { countJobs } from "../../jobs/jobs.ts";
import { isMemsvcError } from "../../operation/errors.ts";
import { timeText } from "../../operation/fields.ts";
import { fileSize } from "../../paths/file-size.ts";
import { roundTo } from "../../round-to.ts";
import { schemaVersion } from "../../store/migrate.ts";
import { firstNumber } from "../../store/sql.ts";
import type { Transaction } from "../../store/store.ts";
import { memoryUse } from "./memory-use.ts";
import type { HealthSnapshot, WorkerState } from "./snapshot.ts";
import { judge, type Measures } from "./thresholds.ts";

const sampleEveryMs = 30_000;
const samplesKept = 4;
const nanosPerMs = 1e6;
/**
 * Each measurement of the event loop wakes the process; fifty a second kept a laptop's processor from
 * sleeping.
 */
const lagEveryMs = 200;
/** A sample has 150 measurements; the seven worst may be single stalls and are ignored. */
const lagPercentile = 95;

/** Reported when the database does not answer. */
const noJobs = { queued: 0, running: 0, failed: 0 };
const noIndex = { documents: 0, vectors: 0, pendingEmbeddings: 0, model: "none", dimensions: 0 };

interface HealthServices {
  readonly embeddings: Embeddings;
}

/** Samples the state of the process and its database. */
export class Health {
  readonly #ground: Ground;
  readonly #services: HealthServices;
  readonly #history: Measures[] = [];
  /** Records the event loop delay; set by start(). */
  #lag: IntervalHistogram | undefined;
  /** CPU use at the newest sample; zero before the first. */
  #cpu = { user: 0, system: 0 };
  #sampledAt = 0;
  #latest: HealthSnapshot | undefined;
  /** The sample that is being taken for the callers of snapshot(). */
  #asked: Promise<HealthSnapshot> | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** The background workers to report; set by the daemon. */
  workers: () => readonly WorkerState[] = () => [];

  constructor(ground: Ground, services: HealthServices) {
    this.#ground = ground;
    this.#services = services;
  }

  /**
   * The newest sample, with the uptime of now; takes a new one if there is none, or while the database is locked,
   * because that may end at any moment.
   */
  async snapshot(): Promise<HealthSnapshot> {
    const latest = this.#latest;
    if (latest !== undefined && !showsLock(latest) && !this.#ground.store.isKeptLocked)
      return { ...latest, uptimeSeconds: uptimeSeconds() };
    this.#asked ??= this.sample().finally(() => {
      this.#asked = undefined;
    });
    return this.#asked;
  }

  /**
   * Takes a sample now and then every 30 s, until stop(). The first one does not wait for a lock, so that the start is
   * not held up.
   */
  async start(): Promise<void> {
    const { monitorEventLoopDelay } = await import("node:perf_hooks");
    this.#lag = monitorEventLoopDelay({ resolution: lagEveryMs });
    this.#lag.enable();
    await this.sample();
    this.#timer = setInterval(() => {
      this.sample({ isPatient: true }).catch((error: unknown) =>
        this.#ground.log("error", "health could not be sampled", { error: String(error) }),
      );
    }, sampleEveryMs);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#lag?.disable();
  }

  /** `isPatient`: waits for another process that keeps the database locked as long as a write does. */
  async sample({ isPatient = false } = {}): Promise<HealthSnapshot> {
    const { store, now } = this.#ground;
    const cpu = this.#cpuSince();
    const { isLocked, ...probe } = await this.#probe(isPatient);
    const isConnected = probe.status === "ok" || isLocked;
    const isReadable = isConnected || store.isReadOnly;
    const disk = await statfs(this.#ground.home);
    const heap = (await import("node:v8")).getHeapStatistics();
    const memory = memoryUse(heap);
    const lagMs = this.#lagMs();
    const freeDiskBytes = disk.bavail * disk.bsize;
    this.#history.push({
      lagMs,
      cpuPercent: cpu.percent,
      heapShare: memory.heapUsed / heap.heap_size_limit,
      rssBytes: memory.rss,
      probeMs: probe.status === "ok" ? probe.latencyMs : undefined,
      freeDiskBytes,
    });
    if (this.#history.length > samplesKept) this.#history.shift();
    const verdict = judge(this.#history, this.#modelAlerts());
    const { problem } = this.#services.embeddings;
    this.#latest = {
      status: verdict.status,
      sampledAt: timeText(now()),
      uptimeSeconds: uptimeSeconds(),
      connectionState: isConnected ? "connected" : "disconnected",
      workers: [...this.workers()],
      memory,
      cpu,
      eventLoopLagMs: roundTo(lagMs, 1),
      kvConnectivity: probe,
      database: {
        sizeBytes: store.isFile ? fileSize(store.path) : isReadable ? await this.#pagesBytes() : 0,
        walBytes: fileSize(`${store.path}-wal`),
        freeDiskBytes,
        schemaVersion,
      },
      jobs: isReadable ? await this.#jobs() : noJobs,
      index: isReadable ? await this.#index() : noIndex,
      alerts: verdict.alerts,
      notes: [
        ...verdict.notes,
        ...(problem === undefined ? [] : [problem]),
        ...this.#ground.llm.state().problems,
      ],
    };
    return this.#latest;
  }

  /** The delay of the event loop since the last sample. */
  #lagMs(): number {
    if (this.#lag === undefined || this.#lag.count === 0) return 0;
    const lagMs = Math.max(0, this.#lag.percentile(lagPercentile) / nanosPerMs - lagEveryMs);
    this.#lag.reset();
    return lagMs;
  }

  #modelAlerts(): string[] {
    const { alert } = this.#ground.llm.state();
    return alert === undefined ? [] : [alert];
  }

  #cpuSince(): HealthSnapshot["cpu"] {
    const used = process.cpuUsage(this.#cpu);
    const elapsedMs = Math.max(1, performance.now() - this.#sampledAt);
    this.#cpu = process.cpuUsage();
    this.#sampledAt = performance.now();
    const percent = (used.user + used.system) / 10 / elapsedMs;
    return { userMicros: used.user, systemMicros: used.system, percent: roundTo(percent, 1) };
  }

  async #probe(isPatient: boolean): Promise<HealthSnapshot["kvConnectivity"] & { isLocked: boolean }> {
    const startedAt = performance.now();
    const latencyMs = () => roundTo(performance.now() - startedAt, 2);
    const { store } = this.#ground;
    try {
      // Takes the write lock and commits. It deletes nothing, so the write-ahead log does not grow.
      const write = (tx: Transaction) => tx.sql.run("DELETE FROM jobs WHERE id = ''");
      await store.write(write, { dispensable: !isPatient });
      return { status: "ok", latencyMs: latencyMs(), isLocked: false };
    } catch (error) {
      this.#ground.log("error", "the database probe failed", { error: String(error) });
      const why = isMemsvcError(error) ? error.message : "the database did not take a write";
      // A locked database can still be read.
      const isLocked = store.isFile && isMemsvcError(error, "unavailable");
      return { status: "error", latencyMs: latencyMs(), error: why, isLocked };
    }
  }

  /** The size from the number of pages: the file of a remote store cannot be looked at. */
  #pagesBytes(): Promise<number> {
    const pages = "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()";
    return firstNumber(this.#ground.store.read.sql, pages);
  }

  async #jobs(): Promise<HealthSnapshot["jobs"]> {
    const { oldestQueuedAt, ...counts } = await countJobs(this.#ground);
    return {
      ...counts,
      ...(oldestQueuedAt === undefined ? {} : { oldestQueuedAt: timeText(oldestQueuedAt) }),
    };
  }

  async #index(): Promise<HealthSnapshot["index"]> {
    const { sql } = this.#ground.store.read;
    const { model } = this.#services.embeddings;
    const { embedded, pending } = await countVectors(sql, model?.fingerprint);
    return {
      documents: await firstNumber(sql, "SELECT count(*) FROM documents"),
      vectors: embedded,
      pendingEmbeddings: pending,
      model: model?.name ?? "none",
      dimensions: model?.dimensions ?? 0,
    };
  }
}

function uptimeSeconds(): number {
  return Math.round(process.uptime());
}

/** Whether another process kept the database locked when the sample was taken: it could be read, and not written to. */
function showsLock({ connectionState, kvConnectivity }: HealthSnapshot): boolean {
  return connectionState === "connected" && kvConnectivity.status === "error";
}

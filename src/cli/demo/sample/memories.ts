/** A memory that the developer asked for, in the format of a remember request. */
export interface SampleMemory {
  /** ISO time of the request. */
  readonly at: string;
  readonly type: "pattern" | "preference" | "architecture" | "bug" | "workflow" | "fact";
  readonly content: string;
  readonly concepts: readonly string[];
  readonly files: readonly string[];
  /** Index of an earlier memory that this one replaces. */
  readonly replaces?: number;
}

/** The memories that the sample project's developer asked for, in chronological order. */
export const sampleMemories: readonly SampleMemory[] = [
  {
    at: "2026-11-02T09:18:30Z",
    type: "architecture",
    content:
      "The job queue stays in Postgres (FOR UPDATE SKIP LOCKED), we decided against Redis with BullMQ: enqueue must be in the same transaction as the status update, and two people should not run one more stateful server. Peak load is about 40 jobs/s.",
    concepts: ["queue", "postgres", "redis", "skip-locked"],
    files: ["src/queue/jobs.ts"],
  },
  {
    at: "2026-11-02T09:18:50Z",
    type: "architecture",
    content:
      "Workers are woken by LISTEN/NOTIFY on the channel jobs_enqueued; a poll every 30 s is only the fallback for lost notifications.",
    concepts: ["queue", "worker", "listen-notify"],
    files: ["src/queue/wakeup.ts", "src/worker.ts"],
  },
  {
    at: "2026-11-04T13:52:05Z",
    type: "preference",
    content: "A flaky test is a bug report. Never add a retry or a skip to get CI green; find the cause.",
    concepts: ["testing", "ci", "flaky"],
    files: [],
  },
  {
    at: "2026-11-06T08:11:00Z",
    type: "workflow",
    content:
      "Migrations with CREATE INDEX CONCURRENTLY: first line `-- no-transaction`, a single statement per file. When one fails, DROP INDEX CONCURRENTLY the INVALID index it left behind, then run again. Migrations that rewrite rows go to production at night.",
    concepts: ["migration", "postgres", "concurrently"],
    files: ["scripts/migrate.ts", "migrations/007_webhook_idempotency_index.sql"],
  },
  {
    at: "2026-11-10T08:18:00Z",
    type: "preference",
    content:
      "In tests: no fake timers and no sleeping. Pass the current time in as a parameter (nowMs), in the whole code base.",
    concepts: ["testing", "clock"],
    files: ["src/carriers/retry-after.test.ts"],
  },
  {
    at: "2026-11-10T08:20:30Z",
    type: "bug",
    content:
      "Swiftline sends Retry-After as an HTTP date, nordpost as seconds. Number() made NaN of the date, the timer fired at once, and the worker sent 900 requests per second. Log sign: retryInMs null.",
    concepts: ["rate-limit", "swiftline", "retry-after"],
    files: ["src/carriers/client.ts", "src/carriers/retry-after.ts"],
  },
  {
    at: "2026-11-13T09:46:50Z",
    type: "architecture",
    content:
      "Workers poll the queue for new jobs every 500 ms; LISTEN/NOTIFY was removed on 13 November, because PgBouncer in transaction mode supports no LISTEN and jobs waited for the 30 s fallback.",
    concepts: ["queue", "worker", "polling", "pgbouncer"],
    files: ["src/worker.ts", "src/queue/jobs.ts"],
    replaces: 1,
  },
  {
    at: "2026-11-13T09:47:05Z",
    type: "fact",
    content:
      "Staging is behind PgBouncer on port 6432 (pool_mode transaction), production from Monday 16 November. Migrations need the direct port 5432.",
    concepts: ["pgbouncer", "staging", "migration"],
    files: ["scripts/migrate.ts"],
  },
];

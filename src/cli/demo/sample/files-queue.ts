/** The sample project's job queue and worker as they are before the first session, by path. */
export const queueFiles: Readonly<Record<string, string>> = {
  "migrations/001_shipments.sql": `CREATE TABLE shipments (
  id          bigserial PRIMARY KEY,
  parcel      text NOT NULL UNIQUE,
  carrier     text NOT NULL,
  status      text NOT NULL DEFAULT 'announced',
  webhook_url text
);
`,
  "migrations/002_jobs.sql": `CREATE TABLE jobs (
  id        bigserial PRIMARY KEY,
  kind      text NOT NULL,
  payload   jsonb NOT NULL,
  attempts  int NOT NULL DEFAULT 0,
  run_at    timestamptz NOT NULL DEFAULT now(),
  locked_at timestamptz
);
CREATE INDEX jobs_due ON jobs (run_at) WHERE locked_at IS NULL;
`,
  "src/queue/jobs.ts": `import type { Pool, PoolClient } from "pg";

export interface Job {
  id: string;
  kind: "poll_carrier" | "deliver_webhook";
  payload: Record<string, string>;
  attempts: number;
}

type Queryable = Pick<Pool | PoolClient, "query">;

export async function enqueue(db: Queryable, kind: Job["kind"], payload: Job["payload"]): Promise<void> {
  await db.query("INSERT INTO jobs (kind, payload) VALUES ($1, $2)", [kind, payload]);
}

/** Hands out up to \`limit\` due jobs and locks them for this worker. */
export async function claimJobs(db: Queryable, limit: number): Promise<Job[]> {
  const { rows } = await db.query<Job>(
    \`UPDATE jobs SET locked_at = now(), attempts = attempts + 1
      WHERE id IN (
        SELECT id FROM jobs
         WHERE locked_at IS NULL AND run_at <= now()
         ORDER BY run_at
         LIMIT $1
         FOR UPDATE SKIP LOCKED)
     RETURNING id, kind, payload, attempts\`,
    [limit],
  );
  return rows;
}

export async function finish(db: Queryable, job: Job): Promise<void> {
  await db.query("DELETE FROM jobs WHERE id = $1", [job.id]);
}
`,
  "src/queue/jobs.test.ts": `import { beforeEach, describe, expect, test } from "vitest";
import { inTransaction, testPool } from "../../test/database.ts";
import { claimJobs, enqueue, finish } from "./jobs.ts";

const pool = testPool();

beforeEach(() => pool.query("TRUNCATE jobs"));

describe("claimJobs", () => {
  test("hands out a due job once", async () => {
    await enqueue(pool, "poll_carrier", { parcel: "A1" });
    expect(await claimJobs(pool, 10)).toHaveLength(1);
    expect(await claimJobs(pool, 10)).toHaveLength(0);
  });

  test("hands out jobs in the order they were enqueued", async () => {
    await inTransaction(pool, async (client) => {
      for (const parcel of ["A1", "B2", "C3"]) await enqueue(client, "poll_carrier", { parcel });
    });
    const jobs = await claimJobs(pool, 3);
    expect(jobs.map((job) => job.payload.parcel)).toEqual(["A1", "B2", "C3"]);
  });

  test("never hands out a finished job", async () => {
    await enqueue(pool, "deliver_webhook", { parcel: "A1" });
    for (const job of await claimJobs(pool, 1)) await finish(pool, job);
    expect(await claimJobs(pool, 1)).toEqual([]);
  });
});
`,
  "src/worker.ts": `import { setTimeout as sleep } from "node:timers/promises";
import type { Pool } from "pg";
import { runJob } from "./run-job.ts";
import { claimJobs } from "./queue/jobs.ts";

const IDLE_MS = 5_000;

/** Works off the queue until the signal aborts. */
export async function work(pool: Pool, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const jobs = await claimJobs(pool, 10);
    await Promise.all(jobs.map((job) => runJob(pool, job)));
    if (jobs.length === 0) await sleep(IDLE_MS);
  }
}
`,
  "src/run-job.ts": `import type { Pool } from "pg";
import { pollCarrier } from "./carriers/poll.ts";
import { finish, type Job } from "./queue/jobs.ts";
import { deliverWebhook } from "./webhooks/deliver.ts";

export async function runJob(pool: Pool, job: Job): Promise<void> {
  if (job.kind === "poll_carrier") await pollCarrier(pool, job.payload);
  else await deliverWebhook(pool, job.payload);
  await finish(pool, job);
}
`,
};

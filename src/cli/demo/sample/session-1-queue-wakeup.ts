import { sampleProject } from "./project.ts";
import { recordSession, type SampleSession } from "./recording.ts";
import { vitestReport } from "./terminal-output.ts";
import type { Worktree } from "./worktree.ts";

const WAKEUP = `import type { Pool } from "pg";

const CHANNEL = "jobs_enqueued";

export interface Wakeup {
  /** Resolves when a job was enqueued, after \`idleMs\` at the latest. */
  wait(idleMs: number): Promise<void>;
}

/** Keeps one connection that listens for enqueued jobs. */
export async function listenForJobs(pool: Pool): Promise<Wakeup> {
  const client = await pool.connect();
  let notified = false;
  let wake = (): void => undefined;
  client.on("notification", () => {
    notified = true;
    wake();
  });
  client.query("LISTEN " + CHANNEL);
  return {
    wait: async (idleMs) => {
      if (!notified) {
        await new Promise<void>((resolve) => {
          wake = resolve;
          setTimeout(resolve, idleMs);
        });
      }
      notified = false;
    },
  };
}
`;

/** The worker's loop before and after this session. */
export const POLLING_LOOP = `  while (!signal.aborted) {
    const jobs = await claimJobs(pool, 10);
    await Promise.all(jobs.map((job) => runJob(pool, job)));
    if (jobs.length === 0) await sleep(IDLE_MS);
`;

export const WOKEN_LOOP = `  const wakeup = await listenForJobs(pool);
  while (!signal.aborted) {
    const jobs = await claimJobs(pool, 10);
    await Promise.all(jobs.map((job) => runJob(pool, job)));
    if (jobs.length === 0) await wakeup.wait(IDLE_MS);
`;

const NOTIFY_PAGE = `NOTIFY sends a notification event to every client that has executed LISTEN for that channel in the
current database. Inside a transaction the events are delivered only if and when it commits. Identical
channel and payload strings in one transaction are delivered once. The queue of undelivered notifications
is 8 GB in a standard installation. LISTEN holds for the session that executed it: when the connection
goes, so does the registration.`;

/** Monday: weighs Redis against Postgres for the queue and wakes the workers with LISTEN/NOTIFY. */
export function recordQueueWakeup(worktree: Worktree): SampleSession {
  const s = recordSession("5b0c7a52-6f0e-4c0b-9a51-3d8f1c2e7a10", "2026-11-02T09:12:04Z", worktree);
  s.start();
  s.prompt(
    "customers complain that webhooks come late, up to 5 s after the carrier knows. where does the worker wait? don't change anything yet",
  );
  s.glob("src/", ".ts");
  s.read("src/worker.ts");
  s.read("src/queue/jobs.ts");
  s.grep("IDLE_MS|sleep\\(", "src/");
  s.stop(
    "The delay is the idle sleep in `src/worker.ts`: when `claimJobs` finds nothing, the worker sleeps IDLE_MS = 5_000 before it looks again. A job enqueued right after a look waits the whole five seconds. Two ways out: a queue that can push (Redis with BullMQ, blocking pop), or staying in Postgres and waking the worker with LISTEN/NOTIFY.",
  );
  s.prompt(
    "Lay both out for me. What I care about: enqueue has to be in the same transaction as the status update (we lost webhooks in spring because of that), ops is two people, and we do maybe 40 jobs/s at peak. If we go with redis, what would we have to run and back up?",
  );
  s.webFetch(
    "https://www.postgresql.org/docs/17/sql-notify.html",
    "When are notifications delivered, how large may the queue be, what happens on disconnect?",
    NOTIFY_PAGE,
  );
  s.bash(
    `psql -c "SELECT date_trunc('hour', occurred_at) AS hour, count(*) / 3600.0 AS per_second FROM carrier_events GROUP BY 1 ORDER BY 2 DESC LIMIT 3"`,
    `          hour          |     per_second
------------------------+---------------------
 2026-10-27 10:00:00+00 | 38.4127777777777778
 2026-10-20 10:00:00+00 | 36.9052777777777778
 2026-10-28 09:00:00+00 | 31.0780555555555556
(3 rows)`,
  );
  s.stop(
    "Redis with BullMQ: push without polling and a dashboard, but the enqueue leaves the transaction (an outbox table would be needed), and one more stateful server to run, back up and upgrade. Postgres: the peak of 38 jobs/s is far below what SKIP LOCKED handles, NOTIFY is sent at commit together with the row, nothing new to run. The cost is one connection per worker that only listens, and a fallback poll for lost notifications. I would stay in Postgres.",
  );
  s.prompt(
    "we decided: keep the queue in postgres instead of redis, and wake the workers with LISTEN/NOTIFY. keep a slow fallback poll, 30 s",
  );
  s.todo([
    {
      content: "Write src/queue/wakeup.ts",
      status: "in_progress",
      activeForm: "Writing src/queue/wakeup.ts",
    },
    { content: "Notify on enqueue", status: "pending", activeForm: "Notifying on enqueue" },
    { content: "Worker waits for the wakeup", status: "pending", activeForm: "Making the worker wait" },
  ]);
  s.write("src/queue/wakeup.ts", WAKEUP);
  s.edit(
    "src/queue/jobs.ts",
    `VALUES ($1, $2)", [kind, payload]);
`,
    `VALUES ($1, $2)", [kind, payload]);
  // Delivered at commit, so a woken worker always sees the row.
  await db.query("SELECT pg_notify('jobs_enqueued', '')");
`,
  );
  s.edit(
    "src/worker.ts",
    `import { setTimeout as sleep } from "node:timers/promises";
import type { Pool } from "pg";
import { runJob } from "./run-job.ts";
import { claimJobs } from "./queue/jobs.ts";

const IDLE_MS = 5_000;
`,
    `import type { Pool } from "pg";
import { runJob } from "./run-job.ts";
import { claimJobs } from "./queue/jobs.ts";
import { listenForJobs } from "./queue/wakeup.ts";

// Only a fallback for a lost notification.
const IDLE_MS = 30_000;
`,
  );
  s.edit("src/worker.ts", POLLING_LOOP, WOKEN_LOOP);
  s.bashFails(
    "npm run lint",
    1,
    `> eslint .

${sampleProject.cwd}/src/queue/wakeup.ts
  ${worktree.lineOf("src/queue/wakeup.ts", "LISTEN")}:3  error  Promises must be awaited, end with a call to .catch, end with a call to .then with a rejection handler or be explicitly marked as ignored with the \`void\` operator  @typescript-eslint/no-floating-promises

✖ 1 problem (1 error, 0 warnings)`,
    { tookSeconds: 9 },
  );
  s.edit("src/queue/wakeup.ts", `  client.query("LISTEN`, `  await client.query("LISTEN`);
  s.bash(
    "npm run lint && npm test",
    `> eslint .\n\n${vitestReport([
      { path: "src/queue/jobs.test.ts", tests: 3, tookMs: 184 },
      { path: "src/routes/shipments.test.ts", tests: 2, tookMs: 96 },
    ])}`,
    { tookSeconds: 13 },
  );
  s.commit(
    `feat(queue): wake workers with LISTEN/NOTIFY

A job waited up to five seconds for the next poll. enqueue now notifies in
its own transaction; the poll stays as a fallback every 30 s.`,
  );
  s.stop(
    "Done and committed. Enqueued jobs start within a few milliseconds; the 30 s poll only catches lost notifications. The linter found that LISTEN was not awaited, which would have hidden a refused connection.",
  );
  s.end("prompt_input_exit");
  return s.session();
}

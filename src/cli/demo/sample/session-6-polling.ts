import type { SessionRecorder } from "./recording.ts";
import { POLLING_LOOP, WOKEN_LOOP } from "./session-1-queue-wakeup.ts";
import { vitestReport } from "./terminal-output.ts";

/** Friday, second half: behind PgBouncer no notification arrives; Monday's decision is taken back. */
export function recordPolling(s: SessionRecorder): void {
  s.prompt(
    "Next: since ops moved staging behind pgbouncer on wednesday, jobs sit there for up to 30 s before a worker picks them up. production follows on monday. Isn't NOTIFY supposed to prevent that?",
  );
  s.bash(
    `kubectl -n staging logs deploy/parcel-worker --since=1h | jq -r 'select(.waitedMs) | .waitedMs' | sort -n | tail -4`,
    "28114\n29377\n29940\n30012",
    { tookSeconds: 4 },
  );
  s.bash(
    "kubectl -n staging get configmap pgbouncer -o yaml | grep -E 'pool_mode|listen_port|default_pool_size|query_timeout'",
    "    default_pool_size = 20\n    listen_port = 6432\n    pool_mode = transaction\n    query_timeout = 30",
    { tookSeconds: 2 },
  );
  s.read("src/queue/wakeup.ts");
  s.webFetch(
    "https://www.pgbouncer.org/features.html",
    "Does LISTEN work with transaction pooling?",
    "Transaction pooling breaks session based features. LISTEN is never supported in this mode, NOTIFY is. Also not: SET/RESET, WITH HOLD cursors, session level advisory locks, LOAD.",
  );
  s.stop(
    "With pool_mode = transaction, PgBouncer hands a server connection back after each transaction, and LISTEN goes with it. NOTIFY is sent, but nobody hears it, so only the 30 s fallback poll finds jobs: exactly the 30,012 ms in the log. Options: (a) a direct connection to port 5432 just for listening, which ops wants to close; (b) polling every 500 ms: four workers make 8 cheap index lookups a second.",
  );
  s.prompt(
    "option b, so we reverse the decision from last week: polling every 500 ms instead of LISTEN/NOTIFY. half a second is fine for webhooks. remove the wakeup code completely, don't leave it behind a flag",
  );
  s.grep("wakeup|pg_notify|listenForJobs", "src/");
  s.read("src/worker.ts");
  s.edit(
    "src/worker.ts",
    `import type { Pool } from "pg";
import { runJob } from "./run-job.ts";
import { claimJobs } from "./queue/jobs.ts";
import { listenForJobs } from "./queue/wakeup.ts";

// Only a fallback for a lost notification.
const IDLE_MS = 30_000;
`,
    `import { setTimeout as sleep } from "node:timers/promises";
import type { Pool } from "pg";
import { runJob } from "./run-job.ts";
import { claimJobs } from "./queue/jobs.ts";

// LISTEN does not work through PgBouncer's transaction pooling, so the worker looks by itself.
const IDLE_MS = 500;
`,
  );
  s.edit("src/worker.ts", WOKEN_LOOP, POLLING_LOOP);
  s.read("src/queue/jobs.ts", { offset: 1, limit: 18 });
  s.edit(
    "src/queue/jobs.ts",
    `  // Delivered at commit, so a woken worker always sees the row.
  await db.query("SELECT pg_notify('jobs_enqueued', '')");
`,
    "",
  );
  s.bash("git rm -q src/queue/wakeup.ts", "");
  s.worktree.remove("src/queue/wakeup.ts");
  s.bash(
    "npm run lint && npm test",
    `> eslint .\n\n${vitestReport([
      { path: "src/queue/jobs.test.ts", tests: 3, tookMs: 185 },
      { path: "src/webhooks/deliver.test.ts", tests: 1, tookMs: 140 },
      { path: "src/carriers/retry-after.test.ts", tests: 6, tookMs: 9 },
      { path: "src/routes/shipments.test.ts", tests: 2, tookMs: 97 },
    ])}`,
    { tookSeconds: 13 },
  );
  s.commit(
    `refactor(queue): poll every 500 ms instead of LISTEN/NOTIFY

PgBouncer in transaction mode supports no LISTEN: on staging jobs waited for
the 30 s fallback. This reverses the decision of 2 November.`,
  );
  s.stop(
    "Reversed and committed: workers poll every 500 ms, src/queue/wakeup.ts is gone. Note for Monday: migrations need the direct port 5432, because a long index build would run into PgBouncer's query_timeout.",
  );
  s.end("prompt_input_exit");
}

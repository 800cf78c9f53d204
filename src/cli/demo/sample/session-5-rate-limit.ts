import { recordSession, type SampleSession } from "./recording.ts";
import { vitestReport } from "./terminal-output.ts";
import type { Worktree } from "./worktree.ts";

const RETRY_AFTER = `const SECONDS = /^\\d{1,9}$/;

/**
 * Milliseconds to wait for a Retry-After header, which is a number of seconds or an HTTP date
 * (RFC 9110, 10.2.3). Undefined when there is no header or it says nothing.
 */
export function parseRetryAfter(header: string | null, nowMs: number): number | undefined {
  if (header === null) return undefined;
  if (SECONDS.test(header)) return Number(header) * 1_000;
  const atMs = Date.parse(header);
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs);
}
`;

const RETRY_AFTER_TEST = `import { expect, test } from "vitest";
import { parseRetryAfter } from "./retry-after.ts";

const nowMs = Date.parse("2026-11-10T08:12:00Z");

test("a number is seconds", () => {
  expect(parseRetryAfter("120", nowMs)).toBe(120_000);
});

test("an HTTP date is the time left until then", () => {
  expect(parseRetryAfter("Tue, 10 Nov 2026 08:20:00 GMT", nowMs)).toBe(480_000);
});

test("a date that has passed is no wait", () => {
  expect(parseRetryAfter("Tue, 10 Nov 2026 08:00:00 GMT", nowMs)).toBe(0);
});

test.each([null, "", "soon"])("%j says nothing", (header) => {
  expect(parseRetryAfter(header, nowMs)).toBeUndefined();
});
`;

const LOGS = "kubectl logs deploy/parcel-worker";

/** Tuesday: production hammers a carrier that limits our rate; the log lines give the cause away. */
export function recordRateLimit(worktree: Worktree, bearerToken: string): SampleSession {
  const s = recordSession("7f4e20c8-95ad-4d13-8b60-e1a3c5f79d26", "2026-11-10T08:09:51Z", worktree);
  s.start();
  s.prompt(
    "PROD: swiftline just mailed, we send 900 requests/s and they will block us at 9. webhooks for swiftline parcels are stuck since 07:40. look at the worker logs first",
  );
  s.bash(
    `${LOGS} --since=10m | jq -r .msg | sort | uniq -c | sort -rn | head -4`,
    ` 541207 carrier rate limit, waiting
    312 webhook delivered
     41 shipment created
      6 health check slow`,
    { tookSeconds: 11 },
  );
  s.bash(
    `${LOGS} --since=1m | grep swiftline | tail -3`,
    logLines("2026-11-10T08:11:02.417Z", [
      { parcel: "SL204418", attempt: 88_121 },
      { parcel: "SL204431", attempt: 87_954 },
      { parcel: "SL204418", attempt: 88_122 },
    ]),
    { tookSeconds: 3 },
  );
  s.stop(
    `The worker says "waiting" but does not wait: attempt 88,122 of one parcel, as fast as the answers come back, and \`"retryInMs":null\`. JSON.stringify writes null for NaN, so retryInMs is not a number. Looking for where it is computed.`,
  );
  s.prompt("stop the bleeding first: scale the worker to 0, then go on");
  s.bash("kubectl scale deploy/parcel-worker --replicas=0", "deployment.apps/parcel-worker scaled", {
    tookSeconds: 2,
  });
  s.grep("retryInMs|retry-after", "src/");
  s.read("src/carriers/client.ts");
  s.bash(
    `curl -sI -H "Authorization: Bearer ${bearerToken}" https://api.swiftline.example/v2/track/SL204418`,
    `HTTP/2 429
content-type: application/json
date: Tue, 10 Nov 2026 08:13:48 GMT
retry-after: Tue, 10 Nov 2026 08:20:00 GMT
x-ratelimit-limit: 20`,
  );
  s.stop(
    'Found it. Swiftline sends `Retry-After` as an HTTP date, nordpost sends seconds. `Number("Tue, 10 Nov 2026 …") * 1_000` is NaN, and a timer with NaN fires after 1 ms: a hot loop. There is no limit on attempts either, so one parcel can spin for ever.',
  );
  s.prompt(
    "fix both: at most 6 attempts, then let the job fail and be retried by the queue. and no fake timers in the tests please, pass the current time in as a parameter like we do everywhere",
  );
  s.write("src/carriers/retry-after.ts", RETRY_AFTER);
  s.write("src/carriers/retry-after.test.ts", RETRY_AFTER_TEST);
  s.edit(
    "src/carriers/client.ts",
    `    const retryInMs = Number(response.headers.get("retry-after")) * 1_000;
`,
    `    if (attempt === MAX_ATTEMPTS) throw new Error(carrier.name + " still limits our rate");
    const retryInMs = parseRetryAfter(response.headers.get("retry-after"), Date.now()) ?? 2 ** attempt * 1_000;
`,
  );
  s.edit(
    "src/carriers/client.ts",
    `import { logger } from "../logger.ts";
`,
    `import { logger } from "../logger.ts";
import { parseRetryAfter } from "./retry-after.ts";

// Then the job fails, and the queue runs it again later.
const MAX_ATTEMPTS = 6;
`,
    { mark: "attempts are limited" },
  );
  s.bash(
    "npx vitest run src/carriers && npm run lint",
    `${vitestReport([{ path: "src/carriers/retry-after.test.ts", tests: 6, tookMs: 9 }])}\n\n> eslint .\n`,
    { tookSeconds: 12 },
  );
  s.commit(
    `fix(carriers): wait when Retry-After is a date

swiftline sends an HTTP date; Number() made NaN of it and the timer fired at
once: 900 requests per second. After 6 attempts the job now fails.`,
  );
  s.bash(
    "git push && gh run watch --exit-status && kubectl scale deploy/parcel-worker --replicas=4",
    `   main -> main
✓ main ci · 19240558120
✓ test in 58s
✓ deploy in 1m21s
deployment.apps/parcel-worker scaled`,
    { tookSeconds: 148 },
  );
  s.stop("Deployed, with four replicas again. I would look at the logs once more in an hour.");
  s.end("prompt_input_exit");

  s.pause(58);
  s.start("resume");
  s.prompt("check the swiftline logs again");
  s.bash(
    `${LOGS} --since=60m | jq -r 'select(.carrier=="swiftline") | .retryInMs' | sort -n | uniq -c`,
    `      3 2000
      1 41000
      2 305000`,
    { tookSeconds: 6 },
  );
  s.stop(
    "Six waits in the last hour, between 2 s and 305 s, none of them null. Swiftline's limit is 20 requests/s per account (x-ratelimit-limit); with four replicas we stay under it at the present load, but nothing enforces that.",
  );
  s.prompt("write that down as an open point, not today");
  s.stop("Open point: a shared limit of 20 requests/s for swiftline across the worker replicas.");
  s.end("other");
  return s.session();
}

interface Attempt {
  readonly parcel: string;
  readonly attempt: number;
}

/** pino's lines, 11 ms apart. */
function logLines(startedAt: string, attempts: readonly Attempt[]): string {
  const startMs = Date.parse(startedAt);
  return attempts
    .map(({ parcel, attempt }, index) =>
      JSON.stringify({
        level: 40,
        time: startMs + index * 11,
        carrier: "swiftline",
        parcel,
        attempt,
        retryInMs: null,
        msg: "carrier rate limit, waiting",
      }),
    )
    .join("\n");
}

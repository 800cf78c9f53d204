// The recorded sample that a newcomer's demo replays: twelve days of one project as hook events. The
// sessions are recorded in order on one worktree, so each finds the files as the earlier ones left them.

import { queueFiles } from "./files-queue.ts";
import { serviceFiles } from "./files-service.ts";
import { recordSession, type SampleSession } from "./recording.ts";
import { recordQueueWakeup } from "./session-1-queue-wakeup.ts";
import { recordFlakyTest } from "./session-2-flaky-test.ts";
import { recordMigrationStarted } from "./session-3-migration-started.ts";
import { recordMigrationFinished } from "./session-4-migration-finished.ts";
import { recordRateLimit } from "./session-5-rate-limit.ts";
import { recordPolling } from "./session-6-polling.ts";
import { recordZodUpgrade } from "./session-6-zod-upgrade.ts";
import { createWorktree, type Worktree } from "./worktree.ts";

export { type SampleMemory, sampleMemories } from "./memories.ts";
export { sampleProject } from "./project.ts";
export { type Expectation, type SampleQuestion, sampleQuestions } from "./questions.ts";
export type { SampleEvent, SampleSession } from "./recording.ts";

// Invented. In pieces, so that a secret scanner does not take this file for a leak.
const CARRIER_KEY = ["sk", "live", "51Hq7TzVb2mXc9RdLw4Ky8Ne"].join("_");
const BEARER_TOKEN = ["swl", "9fQ2mB7xLr4TzKd1", "Vc8NwYp5Hs3J"].join("-");

/** The secrets that slip into two of the events; none of them may be found in a store. */
export const sampleSecrets: readonly string[] = [CARRIER_KEY, BEARER_TOKEN];

/** The sessions in order of time; events of a session too. One event is delivered twice. */
export const sampleSessions: readonly SampleSession[] = record();

function record(): readonly SampleSession[] {
  const worktree = createWorktree({ ...queueFiles, ...serviceFiles });
  return [
    recordQueueWakeup(worktree),
    recordFlakyTest(worktree),
    recordMigrationStarted(worktree, CARRIER_KEY),
    recordMigrationFinished(worktree),
    recordRateLimit(worktree, BEARER_TOKEN),
    recordUpgradeAndPolling(worktree),
  ];
}

function recordUpgradeAndPolling(worktree: Worktree): SampleSession {
  const s = recordSession("e85b1a3c-4d97-42f0-96ce-b70f2a8d5c14", "2026-11-13T09:34:18Z", worktree);
  s.start();
  recordZodUpgrade(s);
  recordPolling(s);
  return s.session();
}

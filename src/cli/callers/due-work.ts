import type { Core } from "../../core.ts";
import { JobWorker } from "../../jobs/worker.ts";

/** Does what a command left to be done: where it worked on the store itself, no daemon does. */
export async function doDueWork(core: Core): Promise<void> {
  const handlers = core.jobHandlers().filter(({ onlyInDaemon = false }) => !onlyInDaemon);
  await JobWorker.runDue(core.ground, handlers);
}

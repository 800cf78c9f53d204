import type { Core } from "../../core.ts";
import { JobWorker } from "../../jobs/worker.ts";
import { isMemsvcError, messageOf } from "../../operation/errors.ts";

/**
 * Runs the jobs that a command has queued, if it worked on the store itself, where no daemon does. Returns a message
 * with a hint if something prevented that. Jobs that could not be run stay in the queue; the command itself has
 * succeeded all the same.
 */
export async function runDueJobs(core: Core): Promise<string | undefined> {
  const handlers = core.jobHandlers().filter(({ onlyInDaemon = false }) => !onlyInDaemon);
  try {
    await JobWorker.runDue(core.ground, handlers);
    return undefined;
  } catch (error) {
    const fault = core.ground.store.faultOf(error);
    const problem = messageOf(fault);
    const hint = isMemsvcError(fault) && fault.hint !== undefined ? `\nhint: ${fault.hint}` : "";
    return `it is done, but the work that follows it waits: ${problem}${hint}`;
  }
}

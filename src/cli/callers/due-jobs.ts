import type { Core } from "../../core.ts";
import { JobWorker } from "../../jobs/worker.ts";
import { isMemsvcError, messageOf } from "../../operation/errors.ts";

/**
 * Does what a command left to be done: where it worked on the store itself, no daemon does. Returns in words what kept it
 * from that, and the way out; what could not be done stays in the queue, and the command's own work is done all the same.
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

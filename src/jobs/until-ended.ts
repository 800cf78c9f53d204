import { MemsvcError } from "../operation/errors.ts";
import { beforeTimeout } from "../time/before-timeout.ts";

const longestWaitMs = 30_000;

/** Waits for the end of work in the background. Error: unavailable when it does not end in time. */
export async function untilEnded(running: Promise<unknown>): Promise<void> {
  if ((await beforeTimeout(running, longestWaitMs)) === "late")
    throw new MemsvcError("unavailable", "a background job is still running");
}

import * as z from "zod";
import type { Core } from "../core.ts";
import type { Caller, OtherStatus } from "./define.ts";

/*
 * Operations that may take longer than a request: the work is a durable job. The request waits for a limited time, and
 * then answers that the job continues.
 */

export const Queued = z
  .object({
    queued: z.literal(true).describe("the work goes on after this answer"),
    jobId: z.string().describe("the job, named in the audit entry that it writes"),
  })
  .meta({ id: "Queued" });
export type Queued = z.infer<typeof Queued>;

/** The output schema of a long operation: its own, or the note that it was queued. */
export function orQueued<Output extends z.ZodType>(output: Output): z.ZodUnion<[Output, typeof Queued]> {
  return z.union([output, Queued]);
}

/** How long, in milliseconds, an answer waits for its job. Calls in process wait until it has ended. */
export function waitMs({ ground }: Core, { face }: Caller): number {
  return face === "http" || face === "mcp" ? ground.settings.syncWaitMs : Number.POSITIVE_INFINITY;
}

/** The HTTP status of a long operation that continues after its answer. */
export const whenQueued: OtherStatus = {
  status: 202,
  when: (output) => output.queued === true && "jobId" in output,
  output: Queued,
};

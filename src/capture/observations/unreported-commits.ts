import { minuteMs } from "../../time/durations.ts";
import { loggedCommits } from "../branches/logged-commits.ts";
import type { Event, PickedFields } from "./pick-up-fields.ts";
import { isCommitting, type MadeCommit } from "./rules/made-commits.ts";

/** How long before its command ends a commit may have been made: tests may run after it. */
const longestMs = 10 * minuteMs;
/** For clocks that differ, and git's full seconds. */
const laterMs = 5_000;

/**
 * The commits of a command whose output does not show them, as that of `git commit --quiet`: those that git has logged
 * in the event's folder while the command ran. Others may commit there at the same time, so the command must contain
 * the message.
 */
export function unreportedCommits(
  { hookType, cwd, timestamp }: Pick<Event, "hookType" | "cwd" | "timestamp">,
  { command }: PickedFields["input"],
): MadeCommit[] {
  if (hookType !== "post_tool_use" || command === undefined || !isCommitting(command)) return [];
  return loggedCommits(cwd)
    .filter(
      ({ at, message }) =>
        timestamp - at <= longestMs && at - timestamp <= laterMs && command.includes(message.trim()),
    )
    .map(({ at: _, ...commit }) => commit);
}

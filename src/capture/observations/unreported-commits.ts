import { minuteMs } from "../../time/durations.ts";
import { type LoggedCommit, loggedCommits } from "../branches/logged-commits.ts";
import { reportsCallEnd } from "./calls/tool-hooks.ts";
import { commandKinds, withoutPlumbing } from "./commands/command-kind.ts";
import { commandParts } from "./commands/command-steps.ts";
import { committingFolders } from "./commands/committing-folders.ts";
import type { DatedCommit } from "./commands/made-commits.ts";
import { messageFiles } from "./commands/message-files.ts";
import type { Event, PickedFields } from "./pick-up-fields.ts";

/** How long before its command ends a commit may have been made: tests may run after it. */
const longestMs = 10 * minuteMs;
/** For clocks that differ, and git's full seconds. */
const laterMs = 5_000;

/**
 * The commits of a command whose output does not show them, as that of `git commit --quiet`: those that git has logged
 * in the command's folder while it ran. Others may commit there at the same time, so the command must tell the message:
 * it contains it or the file with it, or names the commit that is picked or reverted, or what is merged, or says that a
 * message is kept (`--amend --no-edit`), or is the pull that git has logged. Only one rebase, and only one series of
 * patches, is applied in a working tree at a time.
 */
export function unreportedCommits(
  { hookType, cwd, timestamp }: Pick<Event, "hookType" | "cwd" | "timestamp">,
  { command }: PickedFields["input"],
): DatedCommit[] {
  if (!reportsCallEnd(hookType) || command === undefined) return [];
  const found = new Map<string, DatedCommit>();
  for (const folder of committingFolders(command, cwd)) {
    const logged = loggedCommits(folder);
    const isTold = toldBy(command, folder, logged);
    for (const commit of logged) {
      const { sha, branch, message, at } = commit;
      const isOfThatTime = timestamp - at <= longestMs && at - timestamp <= laterMs;
      if (isOfThatTime && isTold(commit))
        found.set(sha, { sha, ...(branch === undefined ? {} : { branch }), message, authoredAt: at });
    }
  }
  return [...found.values()];
}

/** Ends a series of patches, or shows where it is. */
const endsSeries = /\s--(?:abort|quit|show-current-patch|edit-todo)\b/u;

/** Whether a rebase put a commit together with the one before. */
function isSquashed({ action, amends }: LoggedCommit): boolean {
  return amends === true && (action === "rebase" || action === "pull");
}

/** Makes the check whether a command determines the message of a commit. */
function toldBy(
  command: string,
  folder: string,
  logged: readonly LoggedCommit[],
): (made: LoggedCommit) => boolean {
  const kinds = commandKinds(command);
  const shas = command.match(/\b[0-9a-f]{7,64}\b/gu) ?? [];
  const named = logged.filter(({ sha }) => shas.some((start) => sha.startsWith(start)));
  const words = new Set(command.split(/[\s;&|"']+/u));
  const isHeadReverted = /\brevert\b[^;&|\n]{0,200} HEAD(?![\w~^@./-])/u.test(command);
  const toldMessages = messagesIn([command, ...messageFiles(command, folder)].join("\n"), logged);
  const steps = commandParts(command).map(({ text }) => withoutPlumbing(text));
  const replaced = new Set(logged.filter(isSquashed).map(({ before }) => before));
  const isAmending = /\s--amend\b/u.test(command);
  const isMessageKept = /\s(?:--no-edit|-C HEAD)\b/u.test(command);
  return ({ action, sha, before, message, amends, pull }) => {
    if (!kinds.includes(`git ${action}`)) return false;
    if (action === "merge") return words.has(message.slice("merge ".length));
    if (action === "am") return !endsSeries.test(command);
    if (action === "rebase") return !endsSeries.test(command) && !replaced.has(sha);
    if (pull !== undefined) return !replaced.has(sha) && steps.some((step) => step.endsWith(` ${pull}`));
    if (amends && !isAmending) return false;
    if (amends && isMessageKept) return logged.some((one) => one.sha === before && one.message === message);
    if (action === "commit") return toldMessages.has(message);
    if (action === "cherry-pick") return named.some((one) => one.sha !== sha && one.message === message);
    const head = isHeadReverted ? logged.filter((one) => one.sha === before) : [];
    return [...named, ...head].some((one) => message === `Revert "${one.message}"`);
  };
}

/** The messages that a command contains; one that is part of a longer one only if it is elsewhere, too. */
function messagesIn(command: string, logged: readonly LoggedCommit[]): ReadonlySet<string> {
  const told = new Set<string>();
  let rest = command;
  for (const { message } of logged.toSorted((one, other) => other.message.length - one.message.length)) {
    const text = message.trim();
    if (text === "" || !rest.includes(text)) continue;
    told.add(message);
    rest = rest.replaceAll(text, "\n");
  }
  return told;
}

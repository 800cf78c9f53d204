import { isFileChange, toolKind } from "../../capture/observations/calls/tool-kind.ts";
import { commandKind } from "../../capture/observations/commands/command-kind.ts";
import { isRefusal } from "../../capture/observations/outputs/refusals.ts";
import type { Work } from "../../capture/observations/reads/work-history.ts";
import { tally } from "../../text/tally.ts";

/** The part of a session that patterns are made from: small, however long the session was. */
export interface SessionDigest {
  /** The files that were changed most often, at most 50. */
  readonly files: readonly string[];
  readonly errors: readonly SeenError[];
  /** Sequences of two or three successful commands, joined by arrows; each once. */
  readonly workflows: readonly string[];
}

interface SeenError {
  /** The title in lower case, with `#` for every number. */
  readonly key: string;
  readonly title: string;
  readonly count: number;
  readonly files: readonly string[];
}

const mostFiles = 50;
const mostWorkflows = 500;
const mostErrorFiles = 5;

export const arrow = " → ";

/** Digests the work of one session, given in the order of time. */
export function digestOf(work: readonly Work[]): SessionDigest {
  const changes = work.filter(isFileChange);
  return {
    files: tally(changes.flatMap(({ files }) => files))
      .slice(0, mostFiles)
      .map(({ value }) => value),
    errors: errorsOf(work),
    workflows: [...workflowsOf(work)].slice(0, mostWorkflows),
  };
}

function errorsOf(work: readonly Work[]): SeenError[] {
  const seen = new Map<string, { title: string; count: number; files: Set<string> }>();
  for (const { type, title, files } of work) {
    if (type !== "error" || isRefusal(title)) continue;
    const key = title.toLowerCase().replace(/\d+/gu, "#");
    const known = seen.get(key) ?? { title, count: 0, files: new Set<string>() };
    for (const file of files) known.files.add(file);
    seen.set(key, { ...known, title, count: known.count + 1 });
  }
  return [...seen].map(([key, { files, ...error }]) => ({
    ...error,
    key,
    files: [...files].slice(0, mostErrorFiles),
  }));
}

function workflowsOf(work: readonly Work[]): Set<string> {
  const found = new Set<string>();
  let run: string[] = [];
  for (const step of commandSteps(work)) {
    if (step === undefined) run = [];
    // A repeated command is not a new step.
    else if (step !== run.at(-1)) {
      run = [...run.slice(-2), step];
      if (run.length > 1) found.add(run.slice(-2).join(arrow));
      if (run.length > 2) found.add(run.join(arrow));
    }
  }
  return found;
}

/** The kinds of the commands of a session; undefined for a command that failed. */
function commandSteps(work: readonly Work[]): (string | undefined)[] {
  return work.flatMap(({ type, command, hasFailed, toolName }) => {
    if (type === "error") return toolKind(toolName ?? "") === "command_run" ? [undefined] : [];
    if (command === undefined) return [];
    return hasFailed ? [undefined] : [commandKind(command)];
  });
}

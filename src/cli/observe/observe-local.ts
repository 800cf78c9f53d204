import { observe } from "../../capture/observations/operations.ts";
import { endSession, startSession } from "../../capture/sessions/operations.ts";
import type { Core } from "../../core.ts";
import { parseJson } from "../../json/parse-json.ts";
import { openCore } from "../../open-core.ts";
import type { Operation } from "../../operation/define.ts";
import { isMemsvcError } from "../../operation/errors.ts";
import { beforeTimeout } from "../../time/before-timeout.ts";
import { runDueJobs } from "../callers/due-jobs.ts";
import { failedOutcome, type HookRoute, type ObserveOutcome } from "./observe-outcome.ts";
import { decidesCapture } from "./settings-for-capture.ts";

const operations: Readonly<Record<HookRoute, { readonly operation: Operation; readonly undone: string }>> = {
  observe: { operation: observe, undone: "nothing was captured" },
  "session/start": { operation: startSession, undone: "the session was not opened" },
  "session/end": { operation: endSession, undone: "the session was not ended" },
};

let opened: Promise<Core> | undefined;
/** What is wrong with a setting that does not decide what is captured. */
let passedOver: string | undefined;
let hasEndedSession = false;
let isLate = false;
/** Time for further events after one was late: a locked store probably stays locked. */
const onceLateMs = 500;

/** Runs a hook's request in this process, if no daemon does; with `patienceMs` it stops waiting after that time. */
export async function callLocally(
  home: string,
  route: HookRoute,
  input: object,
  patienceMs?: number,
): Promise<ObserveOutcome> {
  const { operation, undone } = operations[route];
  try {
    opened ??= openForCapture(home);
    const core = await opened;
    // Parsed again as untrusted JSON, as the daemon does it: checks depth, replaces NUL and lone surrogates.
    const work = core.call(operation, parseJson(JSON.stringify(input)), { face: "cli" });
    const outcome =
      patienceMs === undefined
        ? { answer: await work }
        : await beforeTimeout(work, isLate ? onceLateMs : patienceMs);
    if (outcome === "late") {
      isLate = true;
      const why = "another process keeps it locked, or the machine is slow or busy";
      return { exit: 1, isLate, problem: `the store of ${home} was not ready in time: ${why}; ${undone}` };
    }
    const { answer } = outcome;
    if (route === "session/end") hasEndedSession = true;
    const problem = passedOver === undefined ? {} : { problem: passedOver };
    return { exit: 0, answer: JSON.stringify(answer), ...problem };
  } catch (error) {
    return failedOutcome(error, undone);
  }
}

/** A wrong setting of something else, which may be another program's (ANTHROPIC_BASE_URL), must not lose an event. */
async function openForCapture(home: string): Promise<Core> {
  try {
    return await openCore({ home });
  } catch (error) {
    if (!isMemsvcError(error, "invalid_setting")) throw error;
    const core = await openCore({ home, optional: (setting) => !decidesCapture(setting) });
    passedOver = failedOutcome(error, "the event was captured all the same").problem;
    return core;
  }
}

/** Returns a message if something prevented the work after a session's end. */
export async function closeLocal(): Promise<string | undefined> {
  // Late work is not waited for: the process exits.
  if (isLate) return undefined;
  // If the store could not be opened, that was reported with the event, and there is nothing to close.
  const core = await opened?.catch(() => undefined);
  opened = undefined;
  if (core === undefined) return undefined;
  // The work after a session's end may need the setting that is wrong; it waits for whoever has the right one.
  const hindrance = hasEndedSession && passedOver === undefined ? await runDueJobs(core) : undefined;
  hasEndedSession = false;
  passedOver = undefined;
  await core.close();
  return hindrance;
}

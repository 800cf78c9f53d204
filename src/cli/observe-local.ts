import { observe } from "../capture/observations/operations.ts";
import { endSession, startSession } from "../capture/sessions/operations.ts";
import type { Core } from "../core.ts";
import { openCore } from "../open-core.ts";
import type { Operation } from "../operation/define.ts";
import { errorTable, isMemsvcError } from "../operation/errors.ts";
import { parseJson } from "../operation/json.ts";
import { doDueWork } from "./due-work.ts";
import type { HookRoute, ObserveOutcome } from "./observe-target.ts";

const operations: Readonly<Record<HookRoute, { readonly operation: Operation; readonly undone: string }>> = {
  observe: { operation: observe, undone: "nothing was captured" },
  "session/start": { operation: startSession, undone: "the session was not opened" },
  "session/end": { operation: endSession, undone: "the session was not ended" },
};

let opened: Promise<Core> | undefined;
let hasEndedSession = false;

/** Does in this process what a hook asks for, for when no daemon does. */
export async function callLocally(home: string, route: HookRoute, input: object): Promise<ObserveOutcome> {
  const { operation, undone } = operations[route];
  try {
    opened ??= openCore({ home });
    const core = await opened;
    // Once more through the reader of untrusted JSON, as the daemon would: depth, NUL, lone surrogates.
    const answer = await core.call(operation, parseJson(JSON.stringify(input)), { face: "cli" });
    if (route === "session/end") hasEndedSession = true;
    return { exit: 0, answer: JSON.stringify(answer) };
  } catch (error) {
    if (!isMemsvcError(error)) return { exit: 1, problem: `${String(error)}; ${undone}` };
    const hint = error.hint === undefined ? "" : `\nhint: ${error.hint}`;
    return { exit: errorTable[error.code].exit, problem: `${error.message}; ${undone}${hint}` };
  }
}

export async function closeLocal(): Promise<void> {
  // A store that could not be opened was told with the event; there is nothing to close.
  const core = await opened?.catch(() => undefined);
  opened = undefined;
  if (core === undefined) return;
  if (hasEndedSession) await doDueWork(core);
  hasEndedSession = false;
  await core.close();
}

import type { ObserveInput } from "../capture/observations/hook-payload.ts";
import { observe } from "../capture/observations/operations.ts";
import type { Core } from "../core.ts";
import { openCore } from "../open-core.ts";
import { errorTable, isMemsvcError } from "../operation/errors.ts";
import { parseJson } from "../operation/json.ts";
import type { ObserveOutcome } from "./observe-fast.ts";

let opened: Promise<Core> | undefined;

/** Captures an event in this process, for when no daemon takes it. */
export async function observeLocally(home: string, input: ObserveInput): Promise<ObserveOutcome> {
  try {
    opened ??= openCore({ home });
    const core = await opened;
    // Once more through the reader of untrusted JSON, as the daemon would: depth, NUL, lone surrogates.
    const answer = await core.call(observe, parseJson(JSON.stringify(input)), { face: "cli" });
    return { exit: 0, answer: JSON.stringify(answer) };
  } catch (error) {
    if (!isMemsvcError(error)) return { exit: 1, problem: `${String(error)}; nothing was captured` };
    const hint = error.hint === undefined ? "" : `\nhint: ${error.hint}`;
    return { exit: errorTable[error.code].exit, problem: `${error.message}; nothing was captured${hint}` };
  }
}

export async function closeLocal(): Promise<void> {
  // A store that could not be opened was told with the event; there is nothing to close.
  const core = await opened?.catch(() => undefined);
  opened = undefined;
  await core?.close();
}

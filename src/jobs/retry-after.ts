import { type ErrorCode, isMemsvcError } from "../operation/errors.ts";

/** How long an error of a code asks to be waited for before something is tried again; undefined when it simply failed. */
export function retryAfterMs(error: unknown, code: ErrorCode = "unavailable"): number | undefined {
  if (!isMemsvcError(error, code)) return undefined;
  const { retryAfterMs: waitMs } = error.extra;
  return typeof waitMs === "number" ? waitMs : undefined;
}

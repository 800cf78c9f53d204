import { type ErrorCode, isMemsvcError } from "../operation/errors.ts";

/**
 * The wait before another try that an error of this code asks for; undefined for other errors and when it asks for
 * none.
 */
export function retryAfterMs(error: unknown, code: ErrorCode = "unavailable"): number | undefined {
  if (!isMemsvcError(error, code)) return undefined;
  const { retryAfterMs: waitMs } = error.extra;
  return typeof waitMs === "number" ? waitMs : undefined;
}

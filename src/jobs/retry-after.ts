import { isMemsvcError } from "../operation/errors.ts";

/** How long to wait before something is tried again that is not available now; undefined when it simply failed. */
export function retryAfterMs(error: unknown): number | undefined {
  if (!isMemsvcError(error, "unavailable")) return undefined;
  const { retryAfterMs: waitMs } = error.extra;
  return typeof waitMs === "number" ? waitMs : undefined;
}

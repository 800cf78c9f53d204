/**
 * Milliseconds to wait according to a Retry-After header (seconds or a date); undefined if it is missing or invalid.
 */
export function askedWaitMs(header: string | null | undefined, now = Date.now()): number | undefined {
  if (header === null || header === undefined) return undefined;
  const seconds = Number(header);
  const waitMs = Number.isFinite(seconds) ? seconds * 1_000 : Date.parse(header) - now;
  return Number.isFinite(waitMs) ? Math.max(0, waitMs) : undefined;
}

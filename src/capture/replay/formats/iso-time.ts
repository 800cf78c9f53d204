/** Milliseconds since 1970 as an ISO 8601 text; undefined for anything else. */
export function isoTime(time: unknown): string | undefined {
  const read = typeof time === "number" ? new Date(time) : undefined;
  return read === undefined || Number.isNaN(read.getTime()) ? undefined : read.toISOString();
}

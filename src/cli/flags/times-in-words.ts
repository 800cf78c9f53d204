import { refused, type ValueFlag } from "./parse-flag-value.ts";

/** Fields for which the end of a day or a week counts, not its beginning. */
const ends: ReadonlySet<string> = new Set(["until", "dateTo"]);

/**
 * The input of a command with times in words (`yesterday`, `monday`, `2h`), in local time, as ISO 8601. What begins
 * as a date of that form is left for the operation. Error: invalid_input for words that name no time.
 */
export async function readTimesInWords(
  input: Record<string, unknown>,
  flags: readonly ValueFlag[],
): Promise<Record<string, unknown>> {
  const read = { ...input };
  for (const { field, name, kind } of flags) {
    const given = input[field];
    if (kind !== "time" || typeof given !== "string" || /^\s*(?:\d{4}-\d\d-|$)/u.test(given)) continue;
    // Loaded only if needed: most times are dates, and few commands have any.
    const { timeTold } = await import("../../recall/search/told-time.ts");
    const told = timeTold(given, Date.now());
    const time = ends.has(field) ? told?.until : told?.since;
    if (!time) throw refused(`--${name}`, "a time such as 2025-01-31, yesterday or 2h", given);
    read[field] = new Date(time).toISOString();
  }
  return read;
}

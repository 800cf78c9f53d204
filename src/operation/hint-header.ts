/**
 * Header of an error's answer that carries the way out. The body has the sentence, and only those fields that its
 * route's contract names; a way out that is a command line is nothing for a client that is none.
 */
export const hintHeader = "X-Memsvc-Hint";

/** A hint may repeat what was asked for; servers and clients bound what headers may take. */
const longestHeader = 4_096;

/** A hint as a header can hold it; none where it would be too long. */
export function hintHeaders(hint: string | undefined): Readonly<Record<string, string>> {
  if (hint === undefined) return {};
  const value = encodeURIComponent(hint.toWellFormed());
  return value.length > longestHeader ? {} : { [hintHeader]: value };
}

/** The hint that a header holds; undefined where there is none that can be read. */
export function hintOf(value: string | null | undefined): string | undefined {
  if (value === null || value === undefined) return undefined;
  try {
    return decodeURIComponent(value);
  } catch {
    // Another program's header of the same name: an error is told without a way out then.
    return undefined;
  }
}

/** What a header says, which may be percent-encoded; undefined where it is not there. */
export function plainText(value: string | null | undefined): string | undefined {
  if (value === null || value === undefined) return undefined;
  try {
    return decodeURIComponent(value);
  } catch {
    // Not encoded, so it is meant as it stands.
    return value;
  }
}

/** The text in a percent-encoding; undefined if it is not a valid one. */
export function percentDecoded(encoded: string): string | undefined {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}

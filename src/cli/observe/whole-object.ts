/** Up to this size the input is parsed after each piece that may be its last; above, only each time it has doubled. */
const readilyParsedBytes = 1_048_576;

/**
 * Recognises the end of a hook's input by what it says: some agents leave the pipe open after the event, and waiting for
 * its end would keep them waiting, too.
 */
export function wholeObjectCheck(): (chunks: readonly Buffer[]) => boolean {
  let parsedBytes = 0;
  return (chunks) => {
    if (!/[}\s]$/u.test(chunks.at(-1)?.subarray(-1).toString("latin1") ?? "")) return false;
    const bytes = chunks.reduce((sum, { length }) => sum + length, 0);
    if (bytes > readilyParsedBytes && bytes < 2 * parsedBytes) return false;
    parsedBytes = bytes;
    const text = Buffer.concat(chunks).toString("utf8").trim();
    if (!text.startsWith("{") || !text.endsWith("}")) return false;
    try {
      JSON.parse(text);
      return true;
    } catch {
      return false;
    }
  };
}

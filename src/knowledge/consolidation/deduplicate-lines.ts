/**
 * Removes the lines of a text that another line contains, such as the result of an action that is repeated
 * beside it.
 */
export function deduplicateLines(text: string): string {
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  return lines
    .filter((line, at) =>
      lines.every((other, otherAt) => !other.includes(line) || (other === line && otherAt >= at)),
    )
    .join("\n");
}

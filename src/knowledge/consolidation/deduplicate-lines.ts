/** The lines of a text without those that another of them says too, such as what came of an action beside the action. */
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

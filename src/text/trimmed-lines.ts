/** The lines of a text without the blanks around them; blank lines are left out. */
export function trimmedLines(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

/** Text on one line, cut to a width with an ellipsis. Control characters never reach a terminal. */
export function oneLine(text: string, width: number): string {
  const line = printable(text).replace(/\s+/gu, " ").trim();
  const points = [...line];
  return points.length <= width ? line : `${points.slice(0, Math.max(1, width - 1)).join("")}…`;
}

/** Stored text without control characters other than line breaks and tabs: it must not move the cursor. */
export function printable(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/gu, "");
}

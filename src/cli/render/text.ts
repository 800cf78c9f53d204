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

/** A value as it is, but with every text in it printable. */
export function printableThroughout(value: unknown): unknown {
  if (typeof value === "string") return printable(value);
  if (Array.isArray(value)) return value.map(printableThroughout);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [printable(key), printableThroughout(item)]),
  );
}

/** A value as JSON on one line. What JSON leaves as it is and a terminal may obey is escaped: the value is the same. */
export function jsonLine(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u007f-\u009f]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

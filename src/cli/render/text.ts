const control = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** Text on one line, cut to a width with an ellipsis. Control characters never reach a terminal. */
export function oneLine(text: string, width: number): string {
  const line = printable(text).replace(/\s+/gu, " ").trim();
  if (line.length <= width) return line;
  // A character takes two places of a string at most, so these are as many as could be shown.
  const points = [...line.slice(0, 2 * width)];
  const fits = points.length <= width && line.length <= 2 * width;
  return fits ? line : `${points.slice(0, Math.max(1, width - 1)).join("")}…`;
}

/** Stored text without control characters other than line breaks and tabs: it must not move the cursor. */
export function printable(text: string): string {
  return text.replace(control, "");
}

/** A value as it is, but with every text in it printable; the very same value when it is so already. */
export function printableThroughout(value: unknown): unknown {
  if (typeof value === "string") return printable(value);
  if (typeof value !== "object" || value === null || isPrintable(value)) return value;
  if (Array.isArray(value)) return value.map(printableThroughout);
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [printable(key), printableThroughout(item)]),
  );
}

function isPrintable(value: unknown): boolean {
  if (typeof value === "string") return value.search(control) < 0;
  if (Array.isArray(value)) return value.every(isPrintable);
  if (typeof value !== "object" || value === null) return true;
  return Object.entries(value).every(([key, item]) => isPrintable(key) && isPrintable(item));
}

/** A value as JSON on one line. What JSON leaves as it is and a terminal may obey is escaped: the value is the same. */
export function jsonLine(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u007f-\u009f]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

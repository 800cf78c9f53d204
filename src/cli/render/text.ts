import truncatedWidth from "fast-string-truncated-width";

/** What JSON leaves as it is: controls, and what turns the direction of what follows, so that a line reads as another. */
const leftByJson = "\\u007f-\\u009f\\u202a-\\u202e\\u2066-\\u2069";
const unescaped = new RegExp(`[${leftByJson}]`, "gu");
const control = new RegExp(`[\\u0000-\\u0008\\u000b-\\u001f${leftByJson}]`, "g");
const lastCharacter = /.$/su;
const halfCharacter = /[\ud800-\udbff]$/u;
/** What is longer than so many units a column of the terminal is cut, whatever it is made of. */
const mostUnits = 16;

/** Text on one line, cut to so many columns of a terminal with an ellipsis. Control characters never reach it. */
export function oneLine(text: string, width: number): string {
  const line = printable(text).replace(/\s+/gu, " ").trim();
  // A unit takes two columns at most.
  if (2 * line.length <= width) return line;
  const beginning = line.slice(0, mostUnits * width);
  const { index, truncated } = truncatedWidth(beginning, { limit: width, ellipsis: "…", ellipsisWidth: 1 });
  if (!truncated && beginning.length === line.length) return line;
  let cut = beginning.slice(0, index).replace(halfCharacter, "");
  // Where scripts alternate, the library counts a character too little.
  while (cut !== "" && truncatedWidth(cut).width >= width) cut = cut.replace(lastCharacter, "");
  return `${cut}…`;
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
    unescaped,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

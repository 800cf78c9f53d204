import truncatedWidth from "fast-string-truncated-width";

/*
 * How many columns of a terminal a text takes. The library has patterns that take V8 a millisecond at their first use,
 * so it is only asked about texts that have more than characters of one column each.
 */

const narrow = /^[\x20-\x7e\xa0-\xff\u2013\u2014\u2018-\u201d\u2022\u2026\u2192]*$/;
/** Colours, as `paint` adds them, and line breaks take no column. The library counts a colour after a line break. */
const withoutWidth = /\u001b\[[\d;]*m|\n/g;

export function widthOf(text: string): number {
  if (narrow.test(text)) return text.length;
  const shown = text.replace(withoutWidth, "");
  return narrow.test(shown) ? shown.length : truncatedWidth(shown).width;
}

/** The beginning of a text that leaves the last of `width` columns free; undefined if all of the text fits. */
export function beginningWithin(text: string, width: number): string | undefined {
  if (narrow.test(text)) return text.length <= width ? undefined : text.slice(0, Math.max(0, width - 1));
  const { index, truncated } = truncatedWidth(text, { limit: width, ellipsis: "…", ellipsisWidth: 1 });
  return truncated ? text.slice(0, index) : undefined;
}

import { cutAtGrapheme } from "./grapheme-clusters.ts";

/** Cutting text by Unicode code points, so that a surrogate pair is never split. All lengths are code points. */

// Most text has no pair at all; then code units are code points, and the engine's own search says so fastest.
const anyPair = /[\ud800-\udbff]/;

function pairAt(text: string, index: number): boolean {
  const first = text.charCodeAt(index);
  const second = text.charCodeAt(index + 1);
  return first >= 0xd800 && first <= 0xdbff && second >= 0xdc00 && second <= 0xdfff;
}

/** The first `maxLength` code points. */
export function headOf(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const units = text.slice(0, maxLength);
  if (!anyPair.test(units)) return units;
  let end = 0;
  for (let taken = 0; taken < maxLength && end < text.length; taken += 1) end += pairAt(text, end) ? 2 : 1;
  return end >= text.length ? text : text.slice(0, end);
}

/** The last `maxLength` code points. */
export function tailOf(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const units = text.slice(text.length - maxLength - 1);
  if (!anyPair.test(units)) return units.slice(1);
  let start = text.length;
  for (let taken = 0; taken < maxLength && start > 0; taken += 1) start -= pairAt(text, start - 2) ? 2 : 1;
  return start <= 0 ? text : text.slice(start);
}

/** A piece that was cut out of a text by code units, without the half of a pair that may stand at either end. */
export function withoutHalves(piece: string): string {
  return piece.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, "");
}

/** How many code points the text has. */
export function lengthOf(text: string): number {
  if (!anyPair.test(text)) return text.length;
  let length = 0;
  for (let index = 0; index < text.length; index += pairAt(text, index) ? 2 : 1) length += 1;
  return length;
}

/** The text itself, or its beginning, in whole characters, with `…` as the last of at most `maxLength` code points. */
export function cutText(text: string, maxLength: number): string {
  if (text.length <= maxLength || headOf(text, maxLength).length === text.length) return text;
  if (maxLength <= 0) return "";
  return `${cutAtGrapheme(text, headOf(text, maxLength - 1).length).trimEnd()}…`;
}

/** White space collapsed to single blanks, cut to `maxLength` code points. Looks only at the beginning of long text. */
export function oneLine(text: string, maxLength: number): string {
  const start = headOf(text.trimStart(), maxLength * 4 + 64);
  return cutText(start.replace(/\s+/g, " ").trim(), maxLength);
}

/** Whether a text begins with what another says, of which a cut may have left the beginning alone. */
export function beginsWith(text: string, beginning: string): boolean {
  return text.startsWith(beginning.replace(/…$/u, ""));
}

// Most texts contain no surrogate pair; then code units are code points, and this search is the fastest way to know.
const anyPair = /[\ud800-\udbff]/;

/** Number of code points in a text; a lone surrogate counts as one. */
export function countCodePoints(text: string): number {
  if (!anyPair.test(text)) return text.length;
  let codePoints = 0;
  for (let index = 0; index < text.length; index += isPair(text, index) ? 2 : 1) codePoints++;
  return codePoints;
}

/** The first `max` code points of a text; never splits a surrogate pair. */
export function cutCodePoints(text: string, max: number): string {
  if (text.length <= max) return text;
  const units = text.slice(0, max);
  if (!anyPair.test(units)) return units;
  let end = 0;
  for (let taken = 0; taken < max && end < text.length; taken++) end += isPair(text, end) ? 2 : 1;
  return text.slice(0, end);
}

/** The last `max` code points. */
export function tailOf(text: string, max: number): string {
  if (text.length <= max) return text;
  const units = text.slice(text.length - max - 1);
  if (!anyPair.test(units)) return units.slice(1);
  let start = text.length;
  for (let taken = 0; taken < max && start > 0; taken++) start -= isPair(text, start - 2) ? 2 : 1;
  return text.slice(Math.max(0, start));
}

/** Whether the code units at `index` and `index + 1` form a surrogate pair. */
function isPair(text: string, index: number): boolean {
  return (text.charCodeAt(index) & 0xfc00) === 0xd800 && (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00;
}

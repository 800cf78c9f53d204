/** Orders texts by UTF-16 code units, as `sort()` does: the same on every machine, whatever its locale. */
export function compareTexts(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

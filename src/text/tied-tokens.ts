/** For each token those that it is tied to, without itself and without repetitions. */
export function tiedTokens(ties: Iterable<readonly [from: string, to: string]>): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const [from, to] of ties) {
    if (from === to || found.get(from)?.includes(to) === true) continue;
    found.set(from, [...(found.get(from) ?? []), to]);
  }
  return found;
}

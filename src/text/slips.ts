/*
 * Words as they were meant, for a word that was mistyped: with one letter too many, one missing, a wrong one, or two in
 * the wrong order. The first letter is hardly ever wrong, so only its order is.
 */

const shortest = 5;
const longest = 24;

/** The letters of a script, as index tokens contain them. */
const alphabets: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^[a-z]+$/, lettersFrom("a", "z")],
  [/^[а-я]+$/, lettersFrom("а", "я")],
  [/^[α-ω]+$/, lettersFrom("α", "ω")],
];

function lettersFrom(first: string, last: string): string[] {
  const [from = 0, to = 0] = [first.codePointAt(0), last.codePointAt(0)];
  return Array.from({ length: to - from + 1 }, (_, at) => String.fromCodePoint(from + at));
}

/** All texts that one slip makes a lower-case word without diacritics; none for a short word. */
export function oneSlipAway(word: string): ReadonlySet<string> {
  const found = new Set<string>();
  const [, alphabet = []] = alphabets.find(([letters]) => letters.test(word)) ?? [];
  if (word.length < shortest || word.length > longest || alphabet.length === 0) return found;
  for (let at = 0; at < word.length; at += 1) {
    const [before, here, after] = [word.slice(0, at), word.charAt(at), word.slice(at + 1)];
    if (after !== "") found.add(`${before}${after.charAt(0)}${here}${after.slice(1)}`);
    if (at > 0) found.add(before + after);
    for (const letter of alphabet) {
      if (at > 0) found.add(before + letter + after);
      found.add(before + here + letter + after);
    }
  }
  found.delete(word);
  return found;
}

/** Numbers from 0 to 1 that are the same for the same seed (mulberry32, in the public domain). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Consonants only: no stemmer shortens them and no stop word is made of them. */
const letters = "bcdfghjkmpqrtvwxz";

/** Words that occur nowhere else, each a new one. */
export function uniqueWords(prefix: string): () => string {
  let count = 0;
  return () => {
    count += 1;
    return prefix + spelled(count);
  };
}

/** A number in consonants, as part of a word. */
export function spelled(number: number): string {
  let rest = number;
  let text = "";
  do {
    text = (letters[rest % letters.length] ?? "") + text;
    rest = Math.floor(rest / letters.length);
  } while (rest > 0);
  return text.padStart(4, "b");
}

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

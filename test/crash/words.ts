/** Only consonants, so that no stemmer changes the words and none is a stop word. */
const letters = "bcdfghjkmpqrtvwxz";

/** Gives a new word at each call, which occurs nowhere else. */
export function uniqueWords(prefix: string): () => string {
  let count = 0;
  return () => {
    count += 1;
    return prefix + spelled(count);
  };
}

/** A number spelled in consonants, to be part of a word. */
export function spelled(number: number): string {
  let rest = number;
  let text = "";
  do {
    text = (letters[rest % letters.length] ?? "") + text;
    rest = Math.floor(rest / letters.length);
  } while (rest > 0);
  return text.padStart(4, "b");
}

/**
 * A bounded memo of a pure function of a word. Two generations: what is used stays, what is not is forgotten
 * when the young generation is full, so that a flood of new words costs no more than their computation.
 */
export function memoiseWords<T>(
  compute: (word: string) => T,
  wordsPerGeneration: number,
): (word: string) => T {
  let young = new Map<string, T>();
  let old = new Map<string, T>();
  return (word) => {
    if (word.length > longestWord) return compute(word);
    const known = young.get(word);
    if (known !== undefined) return known;
    const own = word.length > longestCopiedSlice ? copyOf(word) : word;
    const value = old.get(own) ?? compute(own);
    if (young.size >= wordsPerGeneration) {
      old = young;
      young = new Map();
    }
    young.set(own, value);
    return value;
  };
}

const longestWord = 32;
/** V8 copies slices of up to 12 characters (`SlicedString::kMinLength` is 13); a longer one holds on to the whole text. */
const longestCopiedSlice = 12;

function copyOf(word: string): string {
  return Buffer.from(word, "utf16le").toString("utf16le");
}

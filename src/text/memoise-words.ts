/**
 * Memoises a pure function of a word, with bounded memory. Two generations: when the young one is full it becomes the
 * old one, and words that are not used again are dropped with it. So a flood of new words costs no more than computing
 * them.
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
/**
 * V8 copies slices of up to 12 characters (`SlicedString::kMinLength` is 13); a longer slice keeps its whole text in
 * memory.
 */
const longestCopiedSlice = 12;

function copyOf(word: string): string {
  return Buffer.from(word, "utf16le").toString("utf16le");
}

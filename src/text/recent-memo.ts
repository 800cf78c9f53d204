/**
 * A bounded memo of a pure function of a word. Two generations: what is used stays, what is not is forgotten
 * when the young generation is full, so that a flood of new words costs no more than their computation.
 * Only short words are kept, since V8 lets a longer slice of a text hold on to the whole text.
 */
export function memoiseWords<T>(
  compute: (word: string) => T,
  wordsPerGeneration: number,
): (word: string) => T {
  let young = new Map<string, T>();
  let old = new Map<string, T>();
  return (word) => {
    if (word.length > longestCopiedSlice) return compute(word);
    const known = young.get(word);
    if (known !== undefined) return known;
    const value = old.get(word) ?? compute(word);
    if (young.size >= wordsPerGeneration) {
      old = young;
      young = new Map();
    }
    young.set(word, value);
    return value;
  };
}

/** V8 copies slices of up to 12 characters (`SlicedString::kMinLength` is 13). */
const longestCopiedSlice = 12;

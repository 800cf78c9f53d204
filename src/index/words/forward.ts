/**
 * The forward index of one document: for each of its terms, how often it stands in each field. A query finds
 * candidates in the inverted index, and this says what they are worth without reading their text again.
 *
 * One blob, little-endian:
 *
 *   4 × u32   tokens in title, concepts, files, body
 *   n × u32   hashes of the distinct terms, ascending
 *   n × 4 u8  frequency in the four fields, at most 255, in the order of the hashes
 *
 * n follows from the length: (bytes − 16) / 8. A look-up is a binary search; two terms of one document share a
 * hash about once in a million documents, and then count together.
 */

export const fieldNames = ["title", "concepts", "files", "body"] as const;
type FieldName = (typeof fieldNames)[number];

/** Something per field, in the order of `fieldNames`. */
export type PerField<T> = Readonly<Record<FieldName, T>>;

const fieldCount = fieldNames.length;
const bodyField = fieldNames.indexOf("body");
const headerBytes = 4 * fieldCount;
const bytesPerTerm = 4 + fieldCount;
const maxFrequency = 255;

/**
 * Packs the prepared tokens of a document's fields. `extraTerms` can be found and do not count as length: stop words.
 */
export function encodeForward(
  tokens: PerField<readonly string[]>,
  extraTerms: Iterable<string> = [],
): Uint8Array {
  const extra = [...extraTerms];
  const sorted = new Float64Array(
    fieldNames.reduce((length, name) => length + tokens[name].length, extra.length),
  );
  let filled = 0;
  fieldNames.forEach((name, field) => {
    for (const token of tokens[name]) sorted[filled++] = fieldCount * termHash(token) + field;
  });
  for (const term of extra) sorted[filled++] = fieldCount * termHash(term) + bodyField;
  sorted.sort();

  let terms = 0;
  let last = -1;
  for (const occurrence of sorted) {
    const hash = Math.floor(occurrence / fieldCount);
    if (hash !== last) terms += 1;
    last = hash;
  }
  const bytes = new Uint8Array(headerBytes + bytesPerTerm * terms);
  const view = new DataView(bytes.buffer);
  fieldNames.forEach((name, field) => {
    view.setUint32(4 * field, tokens[name].length, true);
  });
  let term = -1;
  last = -1;
  for (const occurrence of sorted) {
    const hash = Math.floor(occurrence / fieldCount);
    if (hash !== last) {
      term += 1;
      view.setUint32(headerBytes + 4 * term, hash, true);
      last = hash;
    }
    const at = headerBytes + 4 * terms + fieldCount * term + (occurrence % fieldCount);
    bytes[at] = Math.min(maxFrequency, (bytes[at] ?? 0) + 1);
  }
  return bytes;
}

/** A packed index, opened for reading. A search opens hundreds, so it is one small object that functions read. */
export interface ForwardIndex {
  readonly lengths: PerField<number>;
  /** How many distinct terms it has. */
  readonly terms: number;
  /** What `encodeForward` packed. */
  readonly view: DataView;
}

/** Opens what `encodeForward` packed. */
export function openForward({ buffer, byteOffset, byteLength }: Uint8Array): ForwardIndex {
  const view = new DataView(buffer, byteOffset, byteLength);
  const terms = (view.byteLength - headerBytes) / bytesPerTerm;
  if (!Number.isInteger(terms) || terms < 0)
    throw new Error(`a forward index has no length of ${view.byteLength} bytes`);
  const lengths = {
    title: view.getUint32(0, true),
    concepts: view.getUint32(4, true),
    files: view.getUint32(8, true),
    body: view.getUint32(12, true),
  };
  return { lengths, terms, view };
}

/** A document without a word. */
export const emptyForward = openForward(new Uint8Array(headerBytes));

/** How often the term with this hash stands in each field; `undefined` where it does not. */
export function termFrequency(index: ForwardIndex, hash: number): PerField<number> | undefined {
  const offset = frequenciesOf(index, hash);
  if (offset < 0) return undefined;
  const { view } = index;
  return {
    title: view.getUint8(offset),
    concepts: view.getUint8(offset + 1),
    files: view.getUint8(offset + 2),
    body: view.getUint8(offset + bodyField),
  };
}

/** The same, each field's frequency times its weight, added; 0 where the term does not stand. */
export function weightedFrequency(index: ForwardIndex, hash: number, weights: PerField<number>): number {
  const offset = frequenciesOf(index, hash);
  return offset < 0 ? 0 : weightedBy(weights, index.view, offset);
}

/*
 * The distinct terms one after another, from 0 to `terms`. Functions and no visitor: what a caller would hand over for
 * each search, V8 would compile for each search too.
 */

/** Hash of the term at a place. */
export function hashAt({ view }: ForwardIndex, at: number): number {
  return view.getUint32(headerBytes + 4 * at, true);
}

/** How often the term at a place stands in title and body together. */
export function occurrencesAt({ view, terms }: ForwardIndex, at: number): number {
  const offset = headerBytes + 4 * terms + fieldCount * at;
  return view.getUint8(offset) + view.getUint8(offset + bodyField);
}

/** Each field's frequency of the term at a place times its weight, added. */
export function weightedFrequencyAt(
  { view, terms }: ForwardIndex,
  at: number,
  weights: PerField<number>,
): number {
  return weightedBy(weights, view, headerBytes + 4 * terms + fieldCount * at);
}

/** 32-bit FNV-1a over UTF-16 units, finished by murmur's mixer, since short words would otherwise lie close. */
export function termHash(term: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < term.length; index++)
    hash = Math.imul(hash ^ term.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

function weightedBy(weights: PerField<number>, view: DataView, offset: number): number {
  return (
    view.getUint8(offset) * weights.title +
    view.getUint8(offset + 1) * weights.concepts +
    view.getUint8(offset + 2) * weights.files +
    view.getUint8(offset + bodyField) * weights.body
  );
}

/** Where the frequencies of a term begin, −1 when it is absent. */
function frequenciesOf({ view, terms }: ForwardIndex, hash: number): number {
  let low = 0;
  let high = terms - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const here = view.getUint32(headerBytes + 4 * middle, true);
    if (here === hash) return headerBytes + 4 * terms + fieldCount * middle;
    if (here < hash) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

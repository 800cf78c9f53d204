/**
 * The forward index of one document: the frequency of each of its terms in each field. A query finds candidates in the
 * inverted index and scores them by their forward indexes, without reading their texts.
 *
 * One blob, little-endian:
 *
 *   4 × u32   tokens in title, concepts, files, body
 *   n × u32   hashes of the distinct terms, ascending
 *   n × 4 u8  frequency in the four fields, at most 255, in the order of the hashes
 *
 * n follows from the length: (bytes − 16) / 8. A look-up is a binary search. In about one document of a million two
 * terms share a hash and are counted as one term.
 */

export const fieldNames = ["title", "concepts", "files", "body"] as const;
type FieldName = (typeof fieldNames)[number];

/** A value per field. */
export type PerField<T> = Readonly<Record<FieldName, T>>;

const fieldCount = fieldNames.length;
const bodyField = fieldNames.indexOf("body");
const headerBytes = 4 * fieldCount;
const bytesPerTerm = 4 + fieldCount;
const maxFrequency = 255;

/**
 * Packs the index tokens of a document's fields. `extraTerms` (the stop words) can be looked up like terms of the body,
 * but do not count in the field's length.
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

/** A packed index, opened for reading. A plain object with functions, because a search opens hundreds of them. */
export interface ForwardIndex {
  readonly lengths: PerField<number>;
  /** The number of distinct terms. */
  readonly terms: number;
  /** What `encodeForward` packed. */
  readonly view: DataView;
}

/** Opens a forward index that `encodeForward` packed. Errors: an Error if its length is impossible. */
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

/** Frequency of a term in each field; undefined if the document does not contain the term. */
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

/** Sum of a term's frequencies in the fields, each times the field's weight; 0 if the term is absent. */
export function weightedFrequency(index: ForwardIndex, hash: number, weights: PerField<number>): number {
  const offset = frequenciesOf(index, hash);
  return offset < 0 ? 0 : weightedBy(weights, index.view, offset);
}

/*
 * Access to the distinct terms by their places, 0 to `terms` − 1. Not a visitor with a callback, because V8 would
 * compile a callback that is created per search anew for each search.
 */

/** Hash of the term at place `at`. */
export function hashAt({ view }: ForwardIndex, at: number): number {
  return view.getUint32(headerBytes + 4 * at, true);
}

/** Frequency of the term at place `at` in title and body together. */
export function occurrencesAt({ view, terms }: ForwardIndex, at: number): number {
  const offset = headerBytes + 4 * terms + fieldCount * at;
  return view.getUint8(offset) + view.getUint8(offset + bodyField);
}

/** Like `weightedFrequency`, for the term at place `at`. */
export function weightedFrequencyAt(
  { view, terms }: ForwardIndex,
  at: number,
  weights: PerField<number>,
): number {
  return weightedBy(weights, view, headerBytes + 4 * terms + fieldCount * at);
}

/**
 * 32-bit FNV-1a over UTF-16 units, then MurmurHash3's finaliser: without it, hashes of short words lie close together.
 */
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

/** The offset of a term's frequencies; −1 if the term is absent. */
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

import { ByteLists } from "./byte-lists.ts";
import { grown } from "./grown.ts";

/**
 * For each term, in which documents it stands and what its occurrences there weigh. Terms are known by their hash,
 * documents by ordinals that are handed out in ascending order; weights are whole numbers.
 *
 * A posting is the distance to the one before, twice, plus one when a weight other than the usual one follows. The
 * numbers are written seven bits a byte, so most postings take one or two bytes. Most terms of real texts stand in one
 * document only: theirs stands among the fields of the term itself.
 */
export class PostingLists {
  readonly #usualWeight: number;
  readonly #bytes = new ByteLists();
  #terms = 0;
  /** By open addressing: the place of the term with a hash, plus one; 0: none. */
  #slots = new Uint32Array(leastSlots);
  #hashes = new Uint32Array();
  #documents = new Uint32Array();
  #lastOrdinals = new Uint32Array();
  /** The number of its list, or, while it stands in one document, its weight there. */
  #lists = new Uint32Array();
  #copied = new Uint8Array();

  constructor(usualWeight: number) {
    this.#usualWeight = usualWeight;
  }

  /** Notes that the term stands in a document. Ordinals of a term ascend. Errors: RangeError when there is no room. */
  add(hash: number, ordinal: number, weight: number): void {
    const term = this.#termOf(hash) ?? this.#newTerm(hash);
    const documents = this.#documents[term] ?? 0;
    if (documents === 0) {
      this.#lists[term] = weight;
    } else {
      if (documents === 1) this.#openList(term);
      const last = this.#lastOrdinals[term] ?? 0;
      this.#append(this.#lists[term] ?? 0, ordinal - last, weight);
    }
    this.#documents[term] = documents + 1;
    this.#lastOrdinals[term] = ordinal;
  }

  /** In how many documents the term stands. */
  documentsOf(hash: number): number {
    const term = this.#termOf(hash);
    return term === undefined ? 0 : (this.#documents[term] ?? 0);
  }

  /** Reads a term's postings in the order of the ordinals; gives how many there are. The arrays must have room. */
  read(hash: number, ordinals: Uint32Array, weights: Uint16Array): number {
    const term = this.#termOf(hash);
    if (term === undefined) return 0;
    const documents = this.#documents[term] ?? 0;
    if (documents === 1) {
      ordinals[0] = this.#lastOrdinals[term] ?? 0;
      weights[0] = this.#lists[term] ?? 0;
      return 1;
    }
    const list = this.#lists[term] ?? 0;
    this.#copied = grown(this.#copied, this.#bytes.lengthOf(list));
    this.#bytes.copy(list, this.#copied);
    decode(this.#copied, documents, this.#usualWeight, ordinals, weights);
    return documents;
  }

  #append(list: number, distance: number, weight: number): void {
    const isUsual = weight === this.#usualWeight;
    this.#appendNumber(list, 2 * distance + (isUsual ? 0 : 1));
    if (!isUsual) this.#appendNumber(list, weight);
  }

  #appendNumber(list: number, number: number): void {
    let rest = number;
    for (; rest >= 0x80; rest >>>= 7) this.#bytes.append(list, (rest & 0x7f) | 0x80);
    this.#bytes.append(list, rest);
  }

  /** Moves the only posting of a term to a list of its own. */
  #openList(term: number): void {
    const list = this.#bytes.open();
    this.#append(list, this.#lastOrdinals[term] ?? 0, this.#lists[term] ?? 0);
    this.#lists[term] = list;
  }

  #termOf(hash: number): number | undefined {
    const place = this.#slots[this.#slotOf(hash)] ?? 0;
    return place === 0 ? undefined : place - 1;
  }

  /** Where the hash is, or would be. */
  #slotOf(hash: number): number {
    const mask = this.#slots.length - 1;
    let slot = hash & mask;
    for (;;) {
      const place = this.#slots[slot] ?? 0;
      if (place === 0 || this.#hashes[place - 1] === hash) return slot;
      slot = (slot + 1) & mask;
    }
  }

  #newTerm(hash: number): number {
    const term = this.#terms;
    this.#hashes = grown(this.#hashes, term + 1);
    this.#documents = grown(this.#documents, term + 1);
    this.#lastOrdinals = grown(this.#lastOrdinals, term + 1);
    this.#lists = grown(this.#lists, term + 1);
    this.#hashes[term] = hash;
    this.#terms += 1;
    if (this.#terms > fullest * this.#slots.length) this.#widen();
    else this.#slots[this.#slotOf(hash)] = term + 1;
    return term;
  }

  #widen(): void {
    this.#slots = new Uint32Array(2 * this.#slots.length);
    for (let term = 0; term < this.#terms; term += 1)
      this.#slots[this.#slotOf(this.#hashes[term] ?? 0)] = term + 1;
  }
}

const leastSlots = 1_024;
const fullest = 0.7;

function decode(
  bytes: Uint8Array,
  documents: number,
  usualWeight: number,
  ordinals: Uint32Array,
  weights: Uint16Array,
): void {
  let at = 0;
  let ordinal = 0;
  const next = () => {
    let number = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at] ?? 0;
      at += 1;
      number |= (byte & 0x7f) << shift;
      if (byte < 0x80) return number >>> 0;
    }
  };
  for (let filled = 0; filled < documents; filled += 1) {
    const read = next();
    ordinal += read >>> 1;
    ordinals[filled] = ordinal;
    weights[filled] = (read & 1) === 0 ? usualWeight : next();
  }
}

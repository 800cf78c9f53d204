import type { DocumentRow } from "../documents/packed-documents.ts";
import { weightedLength } from "../keyword/bm25f.ts";
import { type Candidate, messageType, sumOf } from "../keyword/candidate.ts";
import type { SearchScope } from "../scope.ts";
import { ScopeClasses } from "../scope-classes.ts";
import { fieldNames, type PerField } from "../words/forward.ts";
import { withCapacity } from "./with-capacity.ts";

/**
 * The fields of documents in memory, in parallel arrays indexed by ordinal. A removed document keeps its ordinal; a
 * changed document is removed and added with a new one.
 */
export class HeldDocuments {
  readonly #classes = new ScopeClasses();
  readonly #sessions = new Numbered();
  /** The number of tokens by field, of all documents ever added. */
  readonly #tokens = fieldNames.map(() => 0);
  #count = 0;
  #alive = 0;
  /** By ordinal. */
  #ids = new Uint32Array();
  #classNumbers = new Uint32Array();
  /** By ordinal, the number of the session plus one; 0: no session. */
  #sessionNumbers = new Uint32Array();
  #createdAt = new Float64Array();
  /** By ordinal, for the few documents that have it. */
  readonly #hiddenAfter = new Map<number, number>();
  #importance = new Float64Array();
  #weightedLengths = new Float32Array();
  /** By ordinal, the number of tokens in title and body, shifted left by one; the lowest bit is 1 for a message. */
  #words = new Uint32Array();

  /** The number of ordinals given out, including those of removed documents. */
  get count(): number {
    return this.#count;
  }

  /** The number of documents that are not removed. */
  get alive(): number {
    return this.#alive;
  }

  get averageLengths(): PerField<number> {
    const [title = 0, concepts = 0, files = 0, body = 0] = this.#tokens;
    const all = Math.max(1, this.#count);
    return { title: title / all, concepts: concepts / all, files: files / all, body: body / all };
  }

  /** Weighted lengths (see bm25f.ts), by ordinal. */
  get weightedLengths(): Float32Array {
    return this.#weightedLengths;
  }

  /** Adds a document; returns its ordinal, which is higher than all others. */
  add(row: DocumentRow): number {
    const { lengths } = row.document;
    const ordinal = this.#count;
    this.reserve(ordinal + 1);
    this.#ids[ordinal] = row.id;
    this.#classNumbers[ordinal] = this.#classes.numberOf(row);
    this.#sessionNumbers[ordinal] = row.sessionId === null ? 0 : this.#sessions.numberOf(row.sessionId) + 1;
    this.#createdAt[ordinal] = row.createdAt;
    if (row.hiddenAfter !== null) this.#hiddenAfter.set(ordinal, row.hiddenAfter);
    this.#importance[ordinal] = row.importance;
    this.#weightedLengths[ordinal] = weightedLength(lengths);
    this.#words[ordinal] = 2 * (lengths.title + lengths.body) + (row.type === messageType ? 1 : 0);
    for (const [at, name] of fieldNames.entries()) this.#tokens[at] = (this.#tokens[at] ?? 0) + lengths[name];
    this.#count += 1;
    this.#alive += 1;
    return ordinal;
  }

  isAlive(ordinal: number): boolean {
    return this.#classNumbers[ordinal] !== removed;
  }

  /** Removes the document with this id, if it is held. */
  remove(id: number): void {
    const ordinal = this.ordinalOf(id);
    if (ordinal === undefined) return;
    this.#classNumbers[ordinal] = removed;
    this.#hiddenAfter.delete(ordinal);
    this.#alive -= 1;
  }

  /**
   * The ordinal of the document with this id. Binary search, because ids mostly ascend with the ordinals; a changed
   * document is out of order and found by a linear search.
   */
  ordinalOf(id: number): number | undefined {
    let low = 0;
    let high = this.#count - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#ids[middle] ?? 0) < id) low = middle + 1;
      else high = middle;
    }
    const isHere = this.#ids[low] === id && this.#classNumbers[low] !== removed;
    const ordinal = isHere ? low : this.#ids.lastIndexOf(id, this.#count - 1);
    return ordinal < 0 || this.#classNumbers[ordinal] === removed ? undefined : ordinal;
  }

  /** Makes a test whether the document at an ordinal is in a scope. Removed documents never are. */
  within(scope: SearchScope): (ordinal: number) => boolean {
    const allowed = this.#classes.allowed(scope);
    const { since = -Infinity, until = Infinity, now } = scope;
    return (ordinal) => {
      if (allowed[this.#classNumbers[ordinal] ?? removed] !== 1) return false;
      const createdAt = this.#createdAt[ordinal] ?? 0;
      if (createdAt < since || createdAt > until) return false;
      return this.#hiddenAfter.size === 0 || (this.#hiddenAfter.get(ordinal) ?? Infinity) > now;
    };
  }

  /** The document at an ordinal as a candidate. */
  candidateAt(ordinal: number, parts: Float64Array, saturation: number): Candidate {
    const words = this.#words[ordinal] ?? 0;
    const session = this.#sessionNumbers[ordinal] ?? 0;
    return {
      id: this.#ids[ordinal] ?? 0,
      kind: this.#classes.all[this.#classNumbers[ordinal] ?? 0]?.kind ?? "",
      isMessage: (words & 1) === 1,
      sessionId: session === 0 ? null : this.#sessions.nameOf(session - 1),
      createdAt: this.#createdAt[ordinal] ?? 0,
      importance: this.#importance[ordinal] ?? 0,
      words: words >>> 1,
      score: sumOf(parts),
      parts,
      saturation,
    };
  }

  /** Makes room for `needed` documents at once, because growing arrays step by step fragments memory. */
  reserve(needed: number): void {
    this.#ids = withCapacity(this.#ids, needed);
    this.#classNumbers = withCapacity(this.#classNumbers, needed);
    this.#sessionNumbers = withCapacity(this.#sessionNumbers, needed);
    this.#createdAt = withCapacity(this.#createdAt, needed);
    this.#importance = withCapacity(this.#importance, needed);
    this.#weightedLengths = withCapacity(this.#weightedLengths, needed);
    this.#words = withCapacity(this.#words, needed);
  }
}

/** The scope class of removed documents, which no scope admits. */
const removed = 2 ** 32 - 1;

/** Numbers names, in the order in which they first occur. */
class Numbered {
  readonly #names: string[] = [];
  readonly #numbers = new Map<string, number>();

  numberOf(name: string): number {
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    this.#numbers.set(name, this.#names.length);
    this.#names.push(name);
    return this.#names.length - 1;
  }

  nameOf(number: number): string {
    return this.#names[number] ?? "";
  }
}

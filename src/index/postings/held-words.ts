import type { DocumentRow } from "../documents/packed-documents.ts";
import { fieldWeights, saturated, saturationOf, weightUnit } from "../keyword/bm25f.ts";
import { byScore, type Candidate } from "../keyword/candidate.ts";
import type { SearchScope } from "../scope.ts";
import { hashAt, weightedFrequencyAt } from "../words/forward.ts";
import type { Collection, WordForm, WordQuestion } from "../words/word-index.ts";
import { BestOrdinals } from "./best-ordinals.ts";
import { HeldDocuments } from "./held-documents.ts";
import { PostingLists } from "./posting-lists.ts";
import { withCapacity } from "./with-capacity.ts";

/**
 * The inverted index of all documents in memory; about 200 bytes for a document of 90 words. A search scores every
 * document that it finds, in some nanoseconds each, so its ranking is exact.
 */
export class HeldWords {
  readonly documents = new HeldDocuments();
  readonly #lists = new PostingLists(fieldWeights.body / weightUnit);
  /** Working memory of a search. Between two searches `#rows`, `#scores` and `#best` contain only 0. */
  #ordinals = new Uint32Array();
  #weights = new Uint16Array();
  /** By ordinal. Single precision is enough to choose the best few hundred, whose scores are then computed again. */
  #scores = new Float32Array();
  /** By ordinal, the largest contribution of any form of the word that is being scored. */
  #best = new Float32Array();
  #touched = new Uint32Array();
  #rows = new Uint16Array();
  readonly #heap = new BestOrdinals();

  get collection(): Collection {
    return { documents: this.documents.alive, averageLengths: this.documents.averageLengths };
  }

  /** Document frequency of a term. Removed documents are excluded; for a frequent term their number is estimated. */
  documentsOf(hash: number): number {
    const postings = this.#lists.documentsOf(hash);
    const { alive, count } = this.documents;
    if (alive === count) return postings;
    if (postings > mostCounted) return Math.round((postings * alive) / count);
    this.#reserve();
    this.#lists.read(hash, this.#ordinals, this.#weights);
    let documents = 0;
    for (let posting = 0; posting < postings; posting += 1)
      if (this.documents.isAlive(this.#ordinals[posting] ?? 0)) documents += 1;
    return documents;
  }

  /** Adds a document. Errors: RangeError if there is no room for it. */
  add(row: DocumentRow): void {
    const { document } = row;
    const ordinal = this.documents.add(row);
    for (let at = 0; at < document.terms; at += 1) {
      const weight = weightedFrequencyAt(document, at, fieldWeights) / weightUnit;
      this.#lists.add(hashAt(document, at), ordinal, weight);
    }
  }

  /** The best `wanted` of the documents in a scope that contain any of the `finding` terms, best first. */
  best(
    question: WordQuestion,
    finding: readonly WordForm[],
    scope: SearchScope,
    wanted: number,
  ): Candidate[] {
    return this.#withWorkingMemory(() => this.#bestOf(question, finding, scope, wanted));
  }

  /** The documents at these ordinals, in their order, with the contribution of each word to their scores. */
  candidates(question: WordQuestion, ordinals: Uint32Array): Candidate[] {
    return this.#withWorkingMemory(() => this.#candidatesAt(question, ordinals));
  }

  #bestOf(
    question: WordQuestion,
    finding: readonly WordForm[],
    scope: SearchScope,
    wanted: number,
  ): Candidate[] {
    const touched = this.#touch(finding);
    this.#score(question);
    const best = this.#heap;
    best.begin(wanted);
    const isWithin = this.documents.within(scope);
    for (let at = 0; at < touched; at += 1) {
      const ordinal = this.#touched[at] ?? 0;
      const score = this.#scores[ordinal] ?? 0;
      this.#scores[ordinal] = 0;
      if (score >= best.floor && isWithin(ordinal)) best.add(ordinal, score);
    }
    return this.#candidatesAt(question, best.all).sort(byScore);
  }

  #candidatesAt({ words, averageLength }: WordQuestion, ordinals: Uint32Array): Candidate[] {
    const saturations = this.#saturations(ordinals, averageLength);
    const parts = new Float64Array(ordinals.length * words.length);
    for (let row = 0; row < ordinals.length; row += 1) this.#rows[ordinals[row] ?? 0] = row + 1;
    for (const [at, { forms }] of words.entries()) {
      for (const { hash, weight } of forms) {
        const postings = this.#lists.read(hash, this.#ordinals, this.#weights);
        for (let posting = 0; posting < postings; posting += 1) {
          const row = (this.#rows[this.#ordinals[posting] ?? 0] ?? 0) - 1;
          if (row < 0) continue;
          const occurrences = (this.#weights[posting] ?? 0) * weightUnit;
          const part = weight * saturated(occurrences, saturations[row] ?? 1);
          const place = row * words.length + at;
          if (part > (parts[place] ?? 0)) parts[place] = part;
        }
      }
    }
    for (const ordinal of ordinals) this.#rows[ordinal] = 0;
    const candidates: Candidate[] = [];
    for (let row = 0; row < ordinals.length; row += 1) {
      const own = parts.subarray(row * words.length, (row + 1) * words.length);
      candidates.push(this.documents.candidateAt(ordinals[row] ?? 0, own, saturations[row] ?? 1));
    }
    return candidates;
  }

  /** Lists in `#touched` the documents that contain any of the terms; returns how many. */
  #touch(finding: readonly WordForm[]): number {
    let touched = 0;
    for (const { hash } of finding) {
      const postings = this.#lists.read(hash, this.#ordinals, this.#weights);
      for (let posting = 0; posting < postings; posting += 1) {
        const ordinal = this.#ordinals[posting] ?? 0;
        if (this.#scores[ordinal] !== 0) continue;
        this.#scores[ordinal] = leastScore;
        this.#touched[touched++] = ordinal;
      }
    }
    return touched;
  }

  /** Computes the scores of the touched documents: of each word the form that contributes most counts. */
  #score({ words, averageLength }: WordQuestion): void {
    for (const { forms } of words) {
      const isOneOfMany = forms.length > 1;
      if (isOneOfMany) this.#best = withCapacity(this.#best, this.documents.count);
      for (const form of forms) this.#scoreForm(form, isOneOfMany, averageLength);
      if (isOneOfMany) for (const { hash } of forms) this.#forgetBest(hash);
    }
  }

  #scoreForm(form: WordForm, isOneOfMany: boolean, averageLength: number): void {
    const { weightedLengths } = this.documents;
    const postings = this.#lists.read(form.hash, this.#ordinals, this.#weights);
    for (let posting = 0; posting < postings; posting += 1) {
      const ordinal = this.#ordinals[posting] ?? 0;
      const score = this.#scores[ordinal] ?? 0;
      if (score === 0) continue;
      const saturation = saturationOf(weightedLengths[ordinal] ?? 0, averageLength);
      const part = form.weight * saturated((this.#weights[posting] ?? 0) * weightUnit, saturation);
      const known = isOneOfMany ? (this.#best[ordinal] ?? 0) : 0;
      if (part <= known) continue;
      if (isOneOfMany) this.#best[ordinal] = part;
      this.#scores[ordinal] = score + part - known;
    }
  }

  #forgetBest(hash: number): void {
    const postings = this.#lists.read(hash, this.#ordinals, this.#weights);
    for (let posting = 0; posting < postings; posting += 1) this.#best[this.#ordinals[posting] ?? 0] = 0;
  }

  #saturations(ordinals: Uint32Array, averageLength: number): Float64Array {
    const { weightedLengths } = this.documents;
    const saturations = new Float64Array(ordinals.length);
    for (let row = 0; row < ordinals.length; row += 1) {
      saturations[row] = saturationOf(weightedLengths[ordinals[row] ?? 0] ?? 0, averageLength);
    }
    return saturations;
  }

  /** Reserves working memory for a search, and drops it if the search fails: it may contain more than 0. */
  #withWorkingMemory<T>(search: () => T): T {
    try {
      this.#reserve();
      return search();
    } catch (error) {
      this.#scores = new Float32Array();
      this.#best = new Float32Array();
      this.#rows = new Uint16Array();
      throw error;
    }
  }

  #reserve(): void {
    const { count } = this.documents;
    this.#ordinals = withCapacity(this.#ordinals, count);
    this.#weights = withCapacity(this.#weights, count);
    this.#scores = withCapacity(this.#scores, count);
    this.#touched = withCapacity(this.#touched, count);
    this.#rows = withCapacity(this.#rows, count);
  }
}

/** A term with more postings is estimated. Counting this many takes some microseconds. */
const mostCounted = 2_000;
/** Marks a document that was found and not yet scored. Too small to change any sum. */
const leastScore = 1e-30;

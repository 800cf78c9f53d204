import type { DocumentInput } from "../src/index/documents/documents.ts";
import { minuteMs } from "../src/time/durations.ts";

export interface CorpusOptions {
  readonly documents: number;
  readonly seed?: number;
  readonly vocabulary?: number;
  readonly wordsPerDocument?: number;
  readonly projects?: number;
}

export interface Corpus {
  readonly vocabulary: readonly string[];
  /** Generates the documents; the same options give the same ones. */
  documents(): Generator<DocumentInput>;
}

const firstDay = Date.UTC(2026, 0, 1);

/**
 * Documents of made-up words whose frequencies follow Zipf's law with Mandelbrot's shift, as words of a natural
 * language without its stop words do. Word 0 of the vocabulary is the most frequent one, in about a third of the
 * documents.
 */
export function makeCorpus(options: CorpusOptions): Corpus {
  const { documents, seed = 1, wordsPerDocument = 80, projects = 12 } = options;
  const vocabulary = makeVocabulary(options.vocabulary ?? 30_000);
  const cumulative = zipfCumulative(vocabulary.length);
  return {
    vocabulary,
    *documents() {
      const random = seededRandom(seed);
      const word = () => vocabulary[sample(cumulative, random())] ?? "";
      const words = (count: number) => Array.from({ length: count }, word);
      for (let number = 0; number < documents; number++) {
        const length = Math.round(wordsPerDocument * (0.4 + 1.2 * random()));
        const project = Math.floor(projects * random() ** 2);
        const createdAt = firstDay + number * minuteMs;
        yield {
          kind: number % 10 === 0 ? "memory" : "observation",
          ref: `ref_${number}`,
          projectKey: number % 25 === 0 ? null : `/code/project-${project}`,
          agentId: number % 3 === 0 ? null : `agent-${number % 3}`,
          sessionId: `session-${Math.floor(number / 40)}`,
          createdAt,
          updatedAt: createdAt,
          hiddenAfter: null,
          importance: random(),
          type: number % 4 === 0 ? "edit" : "command",
          project: `project-${project}`,
          title: words(6).join(" "),
          concepts: words(3),
          files: [`src/${word()}/${word()}.ts`],
          body: words(length).join(" "),
        };
      }
    },
  };
}

export type QueryClass = "rare" | "mixed" | "frequent";

/** Parts of the vocabulary, most frequent words first, from which the words of a query are taken. */
const bands: Record<QueryClass, readonly (readonly [from: number, to: number])[]> = {
  rare: [
    [0.1, 0.85],
    [0.1, 0.85],
    [0.1, 0.85],
  ],
  mixed: [
    [0, 0.0017],
    [0.0017, 0.017],
    [0.017, 0.1],
    [0.1, 0.85],
  ],
  frequent: [
    [0, 0.0017],
    [0, 0.0017],
    [0, 0.0034],
  ],
};

/** Queries of two or more words of a frequency class; the same seed gives the same ones. */
export function makeQueries(
  vocabulary: readonly string[],
  kind: QueryClass,
  count: number,
  seed = 7,
): string[] {
  const random = seededRandom(seed);
  return Array.from({ length: count }, () =>
    bands[kind]
      .slice(0, 2 + Math.floor(random() * (bands[kind].length - 1)))
      .map(([from, to]) => vocabulary[Math.floor(vocabulary.length * (from + random() * (to - from)))] ?? "")
      .join(" "),
  );
}

/** Random numbers from 0 to 1 (mulberry32); the same seed gives the same sequence. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const consonants = "bdfgklmnprstvz";
const vowels = "aeiou";
const syllables = consonants.length * vowels.length;

/**
 * Word `n` is `n` written in syllables. It ends in a letter that no suffix ends in, so that stemming leaves it as it
 * is.
 */
function makeVocabulary(size: number): string[] {
  return Array.from({ length: size }, (_, number) => {
    let word = "";
    for (let rest = number + syllables; rest > 0; rest = Math.floor(rest / syllables)) {
      const syllable = rest % syllables;
      word +=
        consonants.charAt(syllable % consonants.length) +
        vowels.charAt(Math.floor(syllable / consonants.length));
    }
    return `${word}k`;
  });
}

const mandelbrotShift = 30;

function zipfCumulative(size: number): Float64Array {
  const cumulative = new Float64Array(size);
  let sum = 0;
  for (let rank = 0; rank < size; rank++) {
    sum += 1 / (rank + mandelbrotShift);
    cumulative[rank] = sum;
  }
  return cumulative.map((value) => value / sum);
}

function sample(cumulative: Float64Array, at: number): number {
  let low = 0;
  let high = cumulative.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((cumulative[middle] ?? 1) < at) low = middle + 1;
    else high = middle;
  }
  return low;
}

import type { Sql } from "../../store/sql.ts";
import type { Collection } from "./word-index.ts";

/**
 * Size and average lengths of the collection, from FTS5's shadow tables: the number of rows of `documents_fts_docsize`,
 * which SQLite counts without reading the rows (0.1 ms for 100,000), and the averages record in `documents_fts_data`.
 * So writers need not maintain a counter, which would be one row that all of them write.
 *
 * The averages record is a list of SQLite varints: the number of rows, then the number of tokens per column. A
 * contentless index with `contentless_delete` never lowers these numbers, so they give averages over everything ever
 * written, but not the number of documents.
 */
export async function readCollection(sql: Sql): Promise<Collection> {
  const [row] = await sql.all<{ documents: number; averages: Uint8Array | ArrayBuffer | null }>(
    `SELECT (SELECT count(*) FROM documents_fts_docsize) AS documents,
      (SELECT block FROM documents_fts_data WHERE id = 1) AS averages`,
  );
  const averages = decodeVarints(new Uint8Array(row?.averages ?? new ArrayBuffer(0)));
  const [rows = 0, title = 0, concepts = 0, files = 0, body = 0] = averages;
  const average = (tokens: number) => (rows > 0 ? tokens / rows : 0);
  return {
    documents: row?.documents ?? 0,
    averageLengths: {
      title: average(title),
      concepts: average(concepts),
      files: average(files),
      body: average(body),
    },
  };
}

/**
 * Counting a term's documents opens its posting list (30 µs) and reads all of it (2.5 ms for 70,000 documents), so
 * counts are cached. Terms in no document are not cached, so that a new word is found at once.
 */
const maxCachedTerms = 16_384;
/** The share by which the collection may grow or shrink before cached frequencies are dropped. */
const tolerated = 0.02;

interface FrequencyCache {
  readonly documents: number;
  readonly frequencies: Map<string, number>;
  /** Frequencies as they were when last counted, however long ago. */
  readonly rough: Map<string, number>;
}

const caches = new WeakMap<Sql, FrequencyCache>();

/** `rough`: possibly outdated, but good enough to tell rare terms from frequent ones. */
type FrequencyPrecision = "current" | "rough";

/** The document frequency of each term; terms in no document are left out. `documents`: the size of the collection. */
export async function documentFrequencies(
  sql: Sql,
  terms: readonly string[],
  documents: number,
  precision: FrequencyPrecision = "current",
): Promise<Map<string, number>> {
  const cache = currentCache(sql, documents);
  const frequencies = new Map<string, number>();
  const unknown: string[] = [];
  for (const term of terms) {
    const known = cache.frequencies.get(term) ?? (precision === "rough" ? cache.rough.get(term) : undefined);
    if (known === undefined) unknown.push(term);
    else frequencies.set(term, known);
  }
  if (unknown.length === 0) return frequencies;
  const rows = await sql.all<{ term: string; documents: number }>(
    `SELECT terms.term, terms.doc AS documents
    FROM json_each(?) AS wanted CROSS JOIN documents_terms AS terms ON terms.term = wanted.value`,
    [JSON.stringify(unknown)],
  );
  for (const row of rows) {
    frequencies.set(row.term, row.documents);
    if (cache.frequencies.size < maxCachedTerms) cache.frequencies.set(row.term, row.documents);
    if (cache.rough.size >= maxCachedTerms) cache.rough.clear();
    cache.rough.set(row.term, row.documents);
  }
  return frequencies;
}

function currentCache(sql: Sql, documents: number): FrequencyCache {
  const cache = caches.get(sql);
  if (cache !== undefined && cache.frequencies.size < maxCachedTerms) {
    if (Math.abs(documents - cache.documents) <= tolerated * cache.documents) return cache;
  }
  const rough = cache?.rough ?? new Map<string, number>();
  const fresh = { documents, frequencies: new Map<string, number>(), rough };
  caches.set(sql, fresh);
  return fresh;
}

/**
 * Reads SQLite's variable-length integers: seven bits per byte, highest first; the eighth bit says that more follow.
 */
function decodeVarints(bytes: Uint8Array): number[] {
  const values: number[] = [];
  let value = 0;
  for (const byte of bytes) {
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) {
      values.push(value);
      value = 0;
    }
  }
  return values;
}

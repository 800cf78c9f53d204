import { type Overlap, WordOverlap } from "../../../index/words/word-overlap.ts";
import { firstNumber, type Sql } from "../../../store/sql.ts";
import type { Store, Transaction } from "../../../store/store.ts";
import { tokenSet } from "../../../text/similarity.ts";

/*
 * A cache of the words of the latest memories, for scopes (a project and an agent) in which memories are
 * created often: finding similar texts takes a tenth of the millisecond that the full-text index needs.
 *
 * The cache may hold too much but never too little: it only names candidates, and the database decides in the
 * write transaction which of them exist, are the latest, and how similar they are. So a rollback needs no
 * cleaning up, and superseded or deleted memories need not be reported. What has to be reported is each
 * memory that becomes the latest (add), or clear() when there are too many. A write by another process
 * invalidates everything.
 */

export interface Scope {
  readonly projectKey: string | null;
  readonly agentId: string | null;
}

/** For all scopes of a store together. */
const maxBytes = 8 * 1024 * 1024;
/** The full-text index finds candidates in the time in which the words of this many memories are read. */
const readPerSearch = 50;
/** With more scopes than this, the counts of misses start again. */
const maxCounted = 1_000;
const pageSize = 200;

class LatestTexts {
  readonly #overlap = new WordOverlap(maxBytes);
  /** The group number of each scope that is held completely. */
  readonly #groups = new Map<string, number>();
  /** How often each scope that is not held was looked up. */
  readonly #missed = new Map<string, number>();
  #lastGroup = 0;
  /** The version of other processes' writes for which the cache is valid. */
  #version: string | undefined;

  holds(scope: Scope): boolean {
    return this.#groups.has(keyOf(scope));
  }

  /**
   * The memories of a scope whose similarity to a set of words is above `above`, most similar first; the
   * caller confirms them in the transaction. Undefined if the scope is not held.
   */
  async resembling(
    tx: Transaction,
    scope: Scope,
    words: ReadonlySet<string>,
    above: number,
  ): Promise<Overlap[] | undefined> {
    const group = this.#groups.get(keyOf(scope));
    if (group === undefined) return undefined;
    if (this.#version !== (await tx.foreignVersion())) {
      this.clear();
      return undefined;
    }
    return this.#overlap.resembling(group, words, above).sort((a, b) => b.similarity - a.similarity);
  }

  /** Has to be called for each memory that becomes the latest, in the transaction that makes it so. */
  add({ id, content, ...scope }: Scope & { readonly id: string; readonly content: string }): void {
    const group = this.#groups.get(keyOf(scope));
    if (group !== undefined && !this.#overlap.add(group, id, tokenSet(content))) this.clear();
  }

  /** Drops everything: for operations that change many memories. */
  clear(): void {
    this.#groups.clear();
    this.#missed.clear();
    this.#overlap.clear();
  }

  /**
   * Has to be called when a scope that is not held was looked up. Loads the scope once the lookups have cost
   * about as much as loading it.
   */
  async miss(store: Store, scope: Scope): Promise<void> {
    if (!store.isFile) return;
    const key = keyOf(scope);
    if (this.#missed.size >= maxCounted) this.#missed.clear();
    const misses = (this.#missed.get(key) ?? 0) + 1;
    this.#missed.set(key, misses);
    const isPowerOfTwo = (misses & (misses - 1)) === 0;
    if (misses === 1 || !isPowerOfTwo) return;
    if ((await countLatest(store.read.sql, scope)) > misses * readPerSearch) return;
    await store.writeAlone((tx) => this.#load(tx, scope));
  }

  /** Runs in a transaction of its own, so that every write is either read here or reported by add(). */
  async #load(tx: Transaction, scope: Scope): Promise<void> {
    const version = await tx.foreignVersion();
    if (this.#version !== version) this.clear();
    this.#version = version;
    const key = keyOf(scope);
    if (this.#groups.has(key)) return;
    const group = ++this.#lastGroup;
    for await (const page of latestOf(tx.sql, scope)) {
      if (page.every(({ id, content }) => this.#overlap.add(group, id, tokenSet(content)))) continue;
      this.clear();
      return;
    }
    this.#groups.set(key, group);
  }
}

const texts = new WeakMap<Store, LatestTexts>();

/** The cache of a store. */
export function latestTextsOf(store: Store): LatestTexts {
  const known = texts.get(store);
  if (known !== undefined) return known;
  const fresh = new LatestTexts();
  texts.set(store, fresh);
  return fresh;
}

function keyOf({ projectKey, agentId }: Scope): string {
  return JSON.stringify([projectKey, agentId]);
}

function countLatest(sql: Sql, { projectKey, agentId }: Scope): Promise<number> {
  const counted = "SELECT count(*) FROM memories WHERE project_key IS ? AND is_latest = 1 AND agent_id IS ?";
  return firstNumber(sql, counted, [projectKey, agentId]);
}

interface LatestText {
  readonly row: number;
  readonly id: string;
  readonly content: string;
  readonly createdAt: number;
}

/** The latest memories of a scope, page by page, along the index on project and time. */
async function* latestOf(sql: Sql, { projectKey, agentId }: Scope): AsyncGenerator<LatestText[]> {
  let last: Pick<LatestText, "createdAt" | "row"> | undefined = {
    createdAt: Number.MIN_SAFE_INTEGER,
    row: 0,
  };
  while (last !== undefined) {
    const page: LatestText[] = await sql.all<LatestText>(
      `SELECT rowid AS row, id, content, created_at AS createdAt FROM memories
       WHERE project_key IS ? AND is_latest = 1 AND agent_id IS ? AND (created_at, rowid) > (?, ?)
       ORDER BY created_at, rowid LIMIT ${pageSize}`,
      [projectKey, agentId, last.createdAt, last.row],
    );
    yield page;
    last = page.length < pageSize ? undefined : page.at(-1);
  }
}

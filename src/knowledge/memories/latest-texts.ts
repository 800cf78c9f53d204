import { type Overlap, WordOverlap } from "../../index/words/word-overlap.ts";
import { firstNumber, type Sql } from "../../store/sql.ts";
import type { Store, Transaction } from "../../store/store.ts";
import { tokenSet } from "../../text/similarity.ts";

/*
 * The words of the latest memories of a project and agent, held in memory where memories are made in numbers: the
 * full-text index takes a millisecond to find what a text resembles, the words a tenth of that.
 *
 * What is held may be too much but never too little: it names candidates, and the database says in the transaction
 * which of them are there, are latest, and how alike they are. So nothing has to be taken back when a transaction is,
 * and memories that were superseded or deleted need not be told of. What must be told are those that become the latest
 * of their scope, and clear() where that is too much to tell. What another process writes ends it all.
 */

export interface Scope {
  readonly projectKey: string | null;
  readonly agentId: string | null;
}

/** For all scopes of a store together. */
const maxBytes = 8 * 1024 * 1024;
/** The full-text index finds candidates in the time in which the words of so many memories are read. */
const readPerSearch = 50;
/** More scopes than that are not told apart by how often they were asked about. */
const maxCounted = 1_000;
const pageSize = 200;

export class LatestTexts {
  readonly #overlap = new WordOverlap(maxBytes);
  /** The group of each scope whose memories are all there. */
  readonly #groups = new Map<string, number>();
  /** How often each scope was asked about that is not held. */
  readonly #missed = new Map<string, number>();
  #lastGroup = 0;
  /** As of which writes of others all of this holds. */
  #version: string | undefined;

  holds(scope: Scope): boolean {
    return this.#groups.has(keyOf(scope));
  }

  /**
   * Candidates of a scope whose similarity to a set of words is above a least one, the most similar first, to be
   * confirmed in the transaction. Undefined where the scope is not held.
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

  /** Told of a memory that becomes the latest one of its text, in the transaction that makes it so. */
  add({ id, content, ...scope }: Scope & { readonly id: string; readonly content: string }): void {
    const group = this.#groups.get(keyOf(scope));
    if (group !== undefined && !this.#overlap.add(group, id, tokenSet(content))) this.clear();
  }

  /** Forgets everything: for works that change many memories. */
  clear(): void {
    this.#groups.clear();
    this.#missed.clear();
    this.#overlap.clear();
  }

  /** Told that a scope which is not held was asked about; loads it once that has cost as much as loading it will. */
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

  /** In a transaction of its own, so that nothing is written that it does not read or is not told of. */
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

/** What is held of a store. */
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

/** The latest memories of a scope, page by page along the index on project and time. */
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

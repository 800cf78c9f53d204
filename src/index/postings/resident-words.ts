import { setImmediate as nextTurn } from "node:timers/promises";
import type { Sql } from "../../store/sql.ts";
import { ChangeFollower } from "../change-follower.ts";
import { currentPosition } from "../change-log.ts";
import { type DocumentRow, readDocuments, readDocumentsAfter } from "../documents/packed-documents.ts";
import { readCollection } from "../words/term-frequency.ts";
import type { WordIndex } from "../words/word-index.ts";
import { HeldWords } from "./held-words.ts";
import { wordsIn } from "./resident-search.ts";

/**
 * The words of all documents in memory, for a process that answers many searches. They are read in the background once
 * somebody searches; before each search what was written meanwhile is read too, whichever process wrote it.
 */
export class ResidentWords {
  readonly #sql: Sql;
  #held: Held | undefined;
  #isWanted = false;
  #isTooLarge = false;
  #isClosed = false;
  #turns: Promise<unknown> = Promise.resolve();

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** The words as they are now; undefined until they were read. */
  async current(): Promise<WordIndex | undefined> {
    this.#isWanted = true;
    const held = this.#held;
    if (held === undefined) return undefined;
    await this.#inTurn(() => this.#catchUp(held));
    return this.#held === held ? wordsIn(this.#sql, held.words) : undefined;
  }

  /** Reads the words if they are wanted, and what changed if they are there. To be called now and then. */
  async follow(): Promise<void> {
    await this.#inTurn(async () => {
      if (this.#held !== undefined) await this.#catchUp(this.#held);
      else if (this.#isWanted && !this.#isTooLarge) await this.#load();
    });
  }

  /** Told that another connection reads from now on: it counts the database's versions anew. */
  reconnected(): void {
    this.#held?.changes.reconnected();
  }

  /** Ends the reading. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#turns;
  }

  async #load(): Promise<void> {
    const position = await currentPosition(this.#sql, "document_changes");
    const changes = new ChangeFollower(this.#sql, "document_changes", position, rowsAtOnce);
    const held: Held = { words: new HeldWords(), changes, lastId: 0 };
    const { documents } = await readCollection(this.#sql);
    try {
      held.words.documents.reserve(Math.ceil(roomToGrow * documents));
      await this.#readNew(held);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      // They do not fit into memory: the database is asked instead.
      this.#isTooLarge = true;
      return;
    }
    if (!this.#isClosed) this.#held = held;
  }

  /** What is not held any more after it has to be read as a whole. */
  async #catchUp(held: Held): Promise<void> {
    const followed = await held.changes.follow((ids) => this.#readAgain(held, ids));
    if (followed === "unchanged") return;
    if (followed === "lost" || isMostlyRemoved(held.words)) this.#held = undefined;
    else await this.#readNew(held);
  }

  async #readAgain(held: Held, documentIds: readonly number[]): Promise<void> {
    // What was written since is read with all that is new.
    const known = documentIds.filter((id) => id <= held.lastId);
    if (known.length === 0) return;
    for (const id of known) held.words.documents.remove(id);
    addTo(held, await readDocuments(this.#sql, known, allFields));
  }

  async #readNew(held: Held): Promise<void> {
    for (;;) {
      const rows = await readDocumentsAfter(this.#sql, held.lastId, rowsAtOnce);
      addTo(held, rows);
      held.lastId = rows.at(-1)?.id ?? held.lastId;
      if (rows.length < rowsAtOnce || this.#isClosed) return;
      await nextTurn();
    }
  }

  /** One after another: reading gives the event loop its turn, and nothing else may be added meanwhile. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turns.then(work);
    this.#turns = turn.catch(() => {
      // What was half read is read anew, on a connection that counts its versions anew.
      this.#held = undefined;
    });
    return turn;
  }
}

interface Held {
  readonly words: HeldWords;
  readonly changes: ChangeFollower;
  /** The newest row that was read. */
  lastId: number;
}

/** Few enough that what is read on the way leaves no large holes in memory, and others wait some milliseconds. */
const rowsAtOnce = 50;
const roomToGrow = 1.1;
const allFields = { project: true, agent: true };
/** Removed documents still take room and count as documents of their words. */
const mostRemoved = 1_000;
const removedShare = 0.2;

function isMostlyRemoved({ documents: { count, alive } }: HeldWords): boolean {
  return count - alive > Math.max(mostRemoved, removedShare * count);
}

function addTo({ words }: Held, rows: readonly DocumentRow[]): void {
  for (const row of rows) words.add(row, row.document);
}

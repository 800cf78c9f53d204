import { setImmediate as nextTurn } from "node:timers/promises";
import type { Sql } from "../../store/sql.ts";
import { beforeTimeout } from "../../time/before-timeout.ts";
import { ChangeFollower } from "../change-follower.ts";
import { currentPosition } from "../change-log.ts";
import { type DocumentRow, readDocuments, readDocumentsAfter } from "../documents/packed-documents.ts";
import { readCollection } from "../words/term-frequency.ts";
import type { WordIndex } from "../words/word-index.ts";
import { HeldWords } from "./held-words.ts";
import { wordsIn } from "./resident-search.ts";

/**
 * Holds the words of all documents in memory, for a process that answers many searches. The first search asks for them,
 * and they are loaded in the background; before each later search, all changes since are read, whichever process made
 * them. A search never waits for much to be read: it uses the database meanwhile.
 */
export class ResidentWords {
  readonly #sql: Sql;
  readonly #patienceMs: number;
  #held: Held | undefined;
  #isWanted = false;
  #isTooLarge = false;
  #isClosed = false;
  #turns: Promise<unknown> = Promise.resolve();

  /** `patienceMs`: how long a search waits while changes are read. */
  constructor(sql: Sql, { patienceMs = 100 } = {}) {
    this.#sql = sql;
    this.#patienceMs = patienceMs;
  }

  /** An index of the words as they are now; undefined while they are loaded, or many changes are read. */
  async current(): Promise<WordIndex | undefined> {
    this.#isWanted = true;
    const held = this.#held;
    if (held === undefined) return undefined;
    const caughtUp = await beforeTimeout(
      this.#inTurn(() => this.#catchUp(held)),
      this.#patienceMs,
    );
    return caughtUp !== "late" && this.#held === held ? wordsIn(this.#sql, held.words) : undefined;
  }

  /** Loads the words if a search has asked for them, or reads what has changed. To be called now and then. */
  async follow(): Promise<void> {
    await this.#inTurn(async () => {
      if (this.#held !== undefined) await this.#catchUp(this.#held);
      else if (this.#isWanted && !this.#isTooLarge) await this.#load();
    });
  }

  /** To be called when another connection reads from now on: each connection counts data versions on its own. */
  reconnected(): void {
    this.#held?.changes.reconnected();
  }

  /** Ends loading, and waits until it has ended. */
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
      // The words do not fit into memory, so searches will use the database.
      this.#isTooLarge = true;
      return;
    }
    if (!this.#isClosed) this.#held = held;
  }

  /** Reads what has changed. Drops the words if they have to be loaded anew. */
  async #catchUp(held: Held): Promise<void> {
    const followed = await held.changes.follow((ids) => this.#readAgain(held, ids));
    if (followed === "unchanged") return;
    if (followed === "lost" || isMostlyRemoved(held.words)) this.#held = undefined;
    else await this.#readNew(held);
  }

  async #readAgain(held: Held, documentIds: readonly number[]): Promise<void> {
    // Documents after `lastId` will be read by `#readNew`.
    const known = documentIds.filter((id) => id <= held.lastId);
    if (known.length === 0) return;
    const rows = await readDocuments(this.#sql, known, allFields);
    // Nothing is awaited between removing and adding: a search that is under way would miss these documents.
    for (const id of known) held.words.documents.remove(id);
    addTo(held, rows);
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

  /** Runs one piece of work after another: reading yields to the event loop, and nothing may be added meanwhile. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turns.then(work);
    this.#turns = turn.catch(() => {
      // Perhaps only a part of the changes was read, so everything has to be loaded anew.
      this.#held = undefined;
    });
    return turn;
  }
}

interface Held {
  readonly words: HeldWords;
  readonly changes: ChangeFollower;
  /** The highest document id that was read. */
  lastId: number;
}

/** Few enough that reading does not fragment memory, and that other work waits only some milliseconds. */
const rowsAtOnce = 50;
const roomToGrow = 1.1;
const allFields = { project: true, agent: true };
/** The words are loaded anew if the removed documents exceed both limits: they still take memory and time. */
const mostRemoved = 1_000;
const removedShare = 0.2;

function isMostlyRemoved({ documents: { count, alive } }: HeldWords): boolean {
  return count - alive > Math.max(mostRemoved, removedShare * count);
}

function addTo({ words }: Held, rows: readonly DocumentRow[]): void {
  for (const row of rows) words.add(row);
}

import { setImmediate as nextTurn } from "node:timers/promises";
import { firstRow, type Sql } from "../../store/sql.ts";
import { beforeTimeout } from "../../time/before-timeout.ts";
import { ChangeFollower } from "../change-follower.ts";
import { changesAfter, currentPosition, type LogPosition } from "../change-log.ts";
import type { SearchHit } from "../hits.ts";
import type { VectorQuestion } from "../search-streams.ts";
import { candidatesFor, rescore } from "../vectors/vector-rescore.ts";
import { scanVectors } from "../vectors/vector-scan.ts";
import { axisOf, hasDirection, leastForAxis } from "./axis.ts";
import { readCache, writeCache } from "./cache-file.ts";
import { VectorMatrix } from "./matrix.ts";
import type { ScanHelp } from "./scan-help.ts";
import { type StoredVector, vectorsAfter, vectorsOf } from "./stored-vectors.ts";

interface ResidentOptions {
  /** The cache file, which keeps the matrix between runs; none unless given. */
  readonly cachePath?: string;
  /** How long a search waits while vectors are loaded; by default 100 ms. */
  readonly patienceMs?: number;
  /** Another thread that takes part in scans. */
  readonly help?: ScanHelp;
  /** A smaller matrix gets no cache file, because reading the rows is as fast; by default 4 MiB. */
  readonly leastCachedBytes?: number;
}

/**
 * Holds the vectors of one model in memory, for a process that answers many searches. They are loaded in the
 * background: from the cache file if its position is in the database's log of changes, else from the rows. Before each
 * search, all changes in the log are read, whichever process made them. A search for another model's vectors replaces
 * those held, and gets no answer until they are loaded.
 *
 * All work on the matrix runs one after another: searches yield to the event loop, and the matrix must not change
 * meanwhile.
 */
export class ResidentVectors {
  readonly #sql: Sql;
  readonly #cachePath: string | undefined;
  readonly #patienceMs: number;
  readonly #leastCachedBytes: number;
  readonly #help: ScanHelp | undefined;
  #held: Held | undefined;
  #loading: Loading | undefined;
  #turns: Promise<unknown> = Promise.resolve();

  constructor(sql: Sql, options: ResidentOptions = {}) {
    this.#sql = sql;
    this.#cachePath = options.cachePath;
    this.#help = options.help;
    this.#patienceMs = options.patienceMs ?? 100;
    this.#leastCachedBytes = options.leastCachedBytes ?? 4 * 2 ** 20;
  }

  /** Loads the vectors that searches will most likely need: those of the model that made the newest vector. */
  async warm(): Promise<void> {
    const newest = await firstRow<{ fingerprint: string }>(
      this.#sql,
      "SELECT fingerprint FROM document_vectors ORDER BY rowid DESC LIMIT 1",
    );
    if (newest !== undefined) await this.#load(newest.fingerprint);
  }

  /** Best first; undefined while the vectors of the question's model are being loaded. */
  async search(question: VectorQuestion): Promise<SearchHit[] | undefined> {
    if (question.limit < 1 || question.vector.length === 0) return [];
    const answer = await this.#answer(question);
    // The held vectors may just have been dropped because the log has lost their position: then load and try again.
    return answer === undefined && this.#isIdle ? this.#answer(question) : answer;
  }

  get #isIdle(): boolean {
    return this.#held === undefined && this.#loading === undefined;
  }

  async #answer(question: VectorQuestion): Promise<SearchHit[] | undefined> {
    const { fingerprint } = question;
    if (this.#held?.fingerprint !== fingerprint) {
      await beforeTimeout(this.#load(fingerprint), this.#patienceMs);
    }
    return this.#inTurn(async () => {
      const held = this.#held;
      if (held?.fingerprint !== fingerprint || !(await this.#catchUp(held))) return undefined;
      return this.#searchIn(held, question);
    });
  }

  /** Reads what has changed, and writes the cache file if much has changed. To be called now and then. */
  follow(): Promise<void> {
    return this.#inTurn(async () => {
      const held = this.#held;
      if (held === undefined || !(await this.#catchUp(held))) return;
      const rows = held.matrix?.count ?? 0;
      if (held.unsaved >= Math.max(leastUnsaved, rows * unsavedShare)) await this.#save(held);
    });
  }

  /** To be called when another connection reads from now on: each connection counts data versions on its own. */
  reconnected(): void {
    this.#held?.changes.reconnected();
  }

  /** Ends loading, and writes the cache file if anything has changed. */
  async close(): Promise<void> {
    const loading = this.#loading;
    this.#loading = undefined;
    // An error in loading has already been reported to the search that asked for the vectors.
    await Promise.allSettled([loading?.done]);
    await this.#inTurn(async () => {
      if (this.#held !== undefined && this.#held.unsaved > 0) await this.#save(this.#held);
    });
  }

  async #searchIn(held: Held, question: VectorQuestion): Promise<SearchHit[]> {
    const { matrix } = held;
    if (matrix === undefined && !held.isTooLarge) return [];
    if (matrix === undefined || matrix.dimensions !== question.vector.length)
      return scanVectors(this.#sql, question);
    const limit = candidatesFor(question.limit, { besideAxis: hasDirection(matrix.axis) });
    const ids = await matrix.nearest({ ...question, limit }, this.#help);
    return rescore(this.#sql, ids, question);
  }

  #load(fingerprint: string): Promise<void> {
    if (this.#held?.fingerprint === fingerprint) return Promise.resolve();
    if (this.#loading?.fingerprint === fingerprint) return this.#loading.done;
    this.#held = undefined;
    const isWanted = () => this.#loading === loading;
    const done = this.#read(fingerprint, isWanted)
      .then((held) => {
        if (isWanted()) this.#held = held;
      })
      .finally(() => {
        if (isWanted()) this.#loading = undefined;
      });
    const loading: Loading = { fingerprint, done };
    this.#loading = loading;
    return done;
  }

  /** Reads the vectors from the cache file or the rows. Changes made meanwhile are in the log after the position. */
  async #read(fingerprint: string, isWanted: () => boolean): Promise<Held> {
    const cached = await this.#readCached(fingerprint);
    if (cached !== undefined) return cached;
    const changes = this.#changesSince(await currentPosition(this.#sql, "vector_changes"));
    const held: Held = { fingerprint, changes, unsaved: 0 };
    let after = { documentId: 0, chunk: 0 };
    for (;;) {
      const vectors = await vectorsAfter(this.#sql, fingerprint, after, rowsAtOnce);
      addTo(held, vectors);
      const last = vectors.at(-1);
      if (last === undefined || held.isTooLarge || !isWanted()) return held;
      after = last;
      await nextTurn();
    }
  }

  async #readCached(fingerprint: string): Promise<Held | undefined> {
    if (this.#cachePath === undefined) return undefined;
    const cached = await readCache(
      this.#cachePath,
      async (header) =>
        header.fingerprint === fingerprint &&
        header.position.change > 0 &&
        // Without an axis the matrix was made when the store was nearly empty; now there may be enough vectors for one.
        hasDirection(header.axis) &&
        (await changesAfter(this.#sql, "vector_changes", header.position, 0)) !== undefined,
    );
    if (cached === undefined) return undefined;
    return { fingerprint, matrix: cached.matrix, changes: this.#changesSince(cached.position), unsaved: 0 };
  }

  #changesSince(position: LogPosition): ChangeFollower {
    return new ChangeFollower(this.#sql, "vector_changes", position, rowsAtOnce);
  }

  /** Reads what has changed. Returns false, and drops the vectors, if the log does not go back that far. */
  async #catchUp(held: Held): Promise<boolean> {
    const followed = await held.changes.follow(async (documentIds) => {
      const vectors = await vectorsOf(this.#sql, held.fingerprint, documentIds);
      held.unsaved += held.matrix?.remove(documentIds) ?? 0;
      addTo(held, vectors);
    });
    if (followed === "lost") this.#held = undefined;
    return followed !== "lost";
  }

  async #save(held: Held): Promise<void> {
    const { matrix } = held;
    held.unsaved = 0;
    if (this.#cachePath === undefined || matrix === undefined) return;
    if (matrix.count * matrix.stride < this.#leastCachedBytes) return;
    try {
      await writeCache(this.#cachePath, {
        fingerprint: held.fingerprint,
        matrix,
        position: held.changes.position,
      });
    } catch {
      // Ignored: the file only makes the next start faster, and important writes will report a full disk.
    }
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turns.then(work);
    this.#turns = turn.catch(() => this.reconnected());
    return turn;
  }
}

/** Reading this many rows takes some milliseconds, and the first batch is enough for an axis. */
const rowsAtOnce = leastForAxis;
const leastUnsaved = 5_000;
const unsavedShare = 0.05;

interface Loading {
  readonly fingerprint: string;
  readonly done: Promise<void>;
}

interface Held {
  readonly fingerprint: string;
  /** Absent while there is no vector. */
  matrix?: VectorMatrix | undefined;
  /** The vectors do not fit into memory, so they are searched in the database. */
  isTooLarge?: boolean;
  readonly changes: ChangeFollower;
  /** The number of rows that changed since the cache file was written. */
  unsaved: number;
}

function addTo(held: Held, vectors: readonly StoredVector[]): void {
  try {
    for (const { vector, ...fields } of vectors) {
      if (held.isTooLarge || vector.length === 0) continue;
      held.matrix ??= new VectorMatrix(
        axisOf(
          vectors.map((one) => one.vector),
          vector.length,
        ),
      );
      if (vector.length !== held.matrix.dimensions) continue;
      held.matrix.add(fields, vector);
      held.unsaved += 1;
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    held.matrix = undefined;
    held.isTooLarge = true;
  }
}

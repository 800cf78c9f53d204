import { snapshotsBeside } from "./damage.ts";
import { DamageFlag } from "./damage-flag.ts";
import type { Driver } from "./driver.ts";
import { sqliteCode, storeFault, unwrapQueryError } from "./faults.ts";
import { migrateStore, modernise, useWriteAheadLog } from "./migrate-store.ts";
import { type DatabaseOptions, openDriver } from "./open-driver.ts";
import { ReadOnlyDriver } from "./read-only-driver.ts";
import { copyDraft, decideReplacement, draftPath, dropDraft, replaceAsDecided } from "./replacement.ts";
import {
  type Connection,
  connectionOver,
  type StoreView,
  type Transaction,
  transactionIn,
  transactionOver,
} from "./transaction.ts";
import { yieldingConnection } from "./turns.ts";
import { type DryRun, type Sharing, WriteQueue } from "./write-queue.ts";

export type { Connection, StoreView, Transaction } from "./transaction.ts";
export type { DryRun } from "./write-queue.ts";

interface StoreOptions extends DatabaseOptions {
  /** Called with errors of background work that nobody awaits. */
  readonly troubled?: (error: unknown) => void;
}

/** The database of a home. Writes are serialised and grouped; reads see committed data. */
export class Store {
  readonly path: string;
  /**
   * Why the store is read-only; undefined if it is not. Every write then fails, and writes that only note a read are
   * skipped.
   */
  readonly readOnlyBecause: string | undefined;
  readonly #place: string;
  /** Whether a damaged page was met: then all pages must be checked before the store is used again. */
  readonly damage: DamageFlag;
  readonly #driver: Driver;
  readonly #replaced: (() => void | Promise<void>)[] = [];
  readonly #troubled: (error: unknown) => void;
  /** Resolves when all listeners have been told of the last replacement, and the new database has a write-ahead log. */
  #telling: Promise<void> = Promise.resolve();
  readonly #queue: WriteQueue<Transaction>;
  #read: Connection | undefined;

  /** `place`: where the database is, for messages. */
  private constructor(driver: Driver, place: string, { path, troubled = () => undefined }: StoreOptions) {
    this.path = path;
    this.#troubled = troubled;
    this.readOnlyBecause = driver instanceof ReadOnlyDriver ? driver.reason : undefined;
    this.#place = place;
    this.damage = new DamageFlag(place);
    this.#driver = driver;
    this.#queue = new WriteQueue(
      driver,
      transactionIn,
      (tx) => tx.settleLeft(),
      (error) => this.#explained(error),
    );
    driver.onReplaced(() => {
      this.damage.forget();
      this.#telling = this.#goOver().catch(this.#troubled);
    });
  }

  /** Opens the database and brings its schema up to date. Errors: store_damaged, store_newer, disk_full. */
  static async open(options: StoreOptions): Promise<Store> {
    const { driver, place } = await openDriver(options);
    return new Store(driver, place, options);
  }

  get isReadOnly(): boolean {
    return this.readOnlyBecause !== undefined;
  }

  /** Whether the newest attempt to write met the lock of another process. */
  get isKeptLocked(): boolean {
    return this.#queue.isKeptLocked;
  }

  /** Whether the database is a file, which other threads of this machine may open by its path. */
  get isFile(): boolean {
    return this.#driver.kind === "file";
  }

  /** The connection for reads; its query builder is made at first use. */
  get read(): Connection {
    this.#read ??= connectionOver(this.damage.watch(this.#driver.reader), {});
    return this.#read;
  }

  /**
   * Runs the work in a write transaction and returns its result once the commit is durable. If the work throws, its
   * changes are undone and the error is passed on; a dry run is always undone.
   */
  write<T>(
    work: (tx: Transaction) => Promise<T>,
    sharing?: Pick<Sharing, "patient" | "dispensable" | "dryRun">,
  ): Promise<T> {
    return this.#queue.write(work, sharing);
  }

  /**
   * Like write(), for work that takes long: it has a transaction of its own, and other writes wait until it has ended.
   * The event loop gets turns between its statements, and the work may await other things too.
   */
  writeAlone<T>(work: (tx: Transaction) => Promise<T>, { dryRun }: DryRun = {}): Promise<T> {
    return this.#queue.write((tx) => work(transactionOver(yieldingConnection(tx.sql), tx)), {
      alone: true,
      dryRun,
    });
  }

  /** Opens a view: reads in it all see the store at the same moment. It must be closed. */
  async openView(): Promise<StoreView> {
    const view = await this.#driver.openView();
    return connectionOver(this.damage.watch(view), { close: () => view.close() });
  }

  /**
   * Calls the listener after the database was replaced, by this process or another: for services that remember
   * something about its rows. What the listener does before its first await happens before anything more is written.
   */
  onReplaced(listener: () => void | Promise<void>): void {
    this.#replaced.push(listener);
  }

  /**
   * Switches to a database that another process has put in this one's place, and waits until all listeners have been
   * told.
   */
  async followFile(): Promise<void> {
    this.#driver.followFile();
    await this.#telling;
  }

  /**
   * Replaces the database while everybody keeps using this Store object. `prepare` runs when all earlier writes have
   * ended and later ones wait; it creates the new database, with any schema that this program knows, at the given path.
   * Nothing changes until it returns, or if it fails; then `cameToNothing` is called. Open views stay with the old
   * database.
   */
  async replaceDatabase(
    prepare: (draft: string) => Promise<void>,
    cameToNothing: () => Promise<void> = async () => undefined,
  ): Promise<void> {
    try {
      await this.#queue.pause(async () => {
        // Other processes that want to write wait for this lock, and then notice that the file has changed.
        const lock = await this.#driver.begin();
        try {
          await this.#readyCopy(prepare, cameToNothing);
          replaceAsDecided(this.path);
        } finally {
          await lock.rollback();
          this.#driver.reconnect();
          this.#driver.followFile();
        }
        await migrateStore(this.#driver, this.path, snapshotsBeside(this.path));
      });
    } finally {
      dropDraft(this.path);
      await this.#telling;
    }
  }

  async #readyCopy(
    prepare: (draft: string) => Promise<void>,
    cameToNothing: () => Promise<void>,
  ): Promise<void> {
    const draft = draftPath(this.path);
    // What an earlier process with this id left: in a container every start may get the same one.
    dropDraft(this.path);
    try {
      await prepare(draft);
      await modernise(draft);
      await copyDraft(this.path);
      decideReplacement(this.path);
    } catch (error) {
      // First, because the draft takes space that the rest may need.
      dropDraft(this.path);
      await cameToNothing();
      throw error;
    }
  }

  async #goOver(): Promise<void> {
    const works = this.#replaced.map((listener) => listener());
    if (!this.isReadOnly) works.push(this.#queue.pause(() => useWriteAheadLog(this.#driver, this.path)));
    await Promise.all(works);
  }

  /**
   * Translates what a failed read raised, also one in another thread; errors that are not the database's are returned
   * unchanged.
   */
  faultOf(error: unknown): unknown {
    this.damage.note(error);
    return sqliteCode(error) === undefined ? unwrapQueryError(error) : this.#explained(error);
  }

  /**
   * Empties the write-ahead log, so that nothing is left in it of what was deleted. Returns false if others use the log
   * just now. Writes wait meanwhile.
   */
  emptyLog(): Promise<boolean> {
    return this.#queue.pause(() => this.#driver.emptyLog());
  }

  #explained(error: unknown): unknown {
    this.damage.note(error);
    return storeFault(error, this.#place);
  }

  async close(): Promise<void> {
    await this.#queue.settled();
    await this.#driver.settled();
    this.#driver.close();
  }
}

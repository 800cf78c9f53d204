import type { Driver, OpenTransaction } from "./driver.ts";
import { isBusy } from "./faults.ts";

/*
 * All writes of a process go through one queue. Writes that are waiting when a turn of the event loop ends are joined
 * into one transaction, and each is answered after the common commit, so that ten clients pay for one disk flush (group
 * commit). If a write fails, only its own changes are undone: the transaction is rolled back and run again with a
 * savepoint around each write. Not from the start, because at every savepoint FTS5 writes what it has gathered as a
 * separate segment, which later writes have to merge.
 *
 * A write may defer something to the end of the transaction, where one statement does it for all writes. It is done
 * before the commit, and before the next write that has not declared itself `patient`.
 *
 * A dry run is a write whose transaction is rolled back once its outcome is known.
 *
 * The rule for the work of a write: it awaits nothing but the transaction it is given, and it may be run a second time,
 * after the first run was undone.
 */

const maxGroup = 64;
const maxBusyRetries = 8;
/** The pause between attempts. In each attempt the driver has already waited for the lock. */
const busyPauseMs = 100;

type Work<Tx, T> = (tx: Tx) => Promise<T>;

/** An option of everything that changes the store. */
export interface DryRun {
  /** Nothing is stored: the answer only says what would be done, or how it would fail. */
  readonly dryRun?: boolean | undefined;
}

/** How a write shares transactions with other writes. */
export interface Sharing extends DryRun {
  /** Runs in a transaction of its own, because it is long or likely to fail. */
  readonly alone?: boolean;
  /** It does not read what other writes of the transaction may have deferred to its end, or has that done first. */
  readonly patient?: boolean;
  /**
   * It may be lost, like a note that something was read: if another process keeps the store locked, it fails without
   * retries.
   */
  readonly dispensable?: boolean;
}

interface Waiting<Tx> {
  readonly work: Work<Tx, unknown>;
  /** Shared with other writes, in a transaction of its own, in one that is rolled back, or outside any transaction. */
  readonly place: "group" | "alone" | "dryRun" | "outside";
  readonly patient: boolean;
  readonly dispensable: boolean;
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

type Outcome =
  | { readonly kind: "done"; readonly value: unknown }
  | { readonly kind: "failed"; readonly error: unknown };

export class WriteQueue<Tx> {
  readonly #driver: Pick<Driver, "begin" | "reconnect">;
  readonly #transactionOver: (open: OpenTransaction) => Tx;
  readonly #finish: (tx: Tx) => Promise<void>;
  readonly #translate: (error: unknown) => unknown;
  #waiting: Waiting<Tx>[] = [];
  #draining: Promise<void> | undefined;
  #isKeptLocked = false;

  constructor(
    driver: Pick<Driver, "begin" | "reconnect">,
    transactionOver: (open: OpenTransaction) => Tx,
    finish: (tx: Tx) => Promise<void>,
    translate: (error: unknown) => unknown,
  ) {
    this.#driver = driver;
    this.#transactionOver = transactionOver;
    this.#finish = finish;
    this.#translate = translate;
  }

  write<T>(work: Work<Tx, T>, sharing: Sharing = {}): Promise<T> {
    const { alone = false, dryRun = false } = sharing;
    return this.#enqueue(work, dryRun ? "dryRun" : alone ? "alone" : "group", sharing);
  }

  /** Runs work outside any transaction, after all earlier writes have ended and before any later one begins. */
  pause<T>(work: () => Promise<T>): Promise<T> {
    return this.#enqueue(work, "outside");
  }

  #enqueue<T>(
    work: Work<Tx, T>,
    place: Waiting<Tx>["place"],
    { patient = false, dispensable = false }: Sharing = {},
  ): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      // The list mixes writes with different result types; each resolve is only called with the result of its own work.
      const settle = { resolve: resolve as (value: unknown) => void, reject };
      this.#waiting.push({ work, place, patient, dispensable, ...settle });
      this.#draining ??= this.#drain();
    });
  }

  /** Whether the newest attempt to write met the lock of another process and waited for it in vain. */
  get isKeptLocked(): boolean {
    return this.#isKeptLocked;
  }

  /** Resolves when all writes given so far have been committed or refused. */
  async settled(): Promise<void> {
    await this.#draining;
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      // Lets other requests of this turn of the event loop join the group.
      await new Promise((resolve) => setImmediate(resolve));
      await this.#commitGroup(this.#waiting.splice(0, this.#groupSize()));
    }
    this.#draining = undefined;
  }

  #groupSize(): number {
    const firstApart = this.#waiting.findIndex(({ place }) => place !== "group");
    if (firstApart === 0) return 1;
    return firstApart === -1 ? maxGroup : Math.min(firstApart, maxGroup);
  }

  async #commitGroup(group: Waiting<Tx>[]): Promise<void> {
    let outcomes: Outcome[];
    try {
      outcomes = group[0]?.place === "outside" ? await runOutside(group) : await this.#attempt(group);
    } catch (error) {
      const reason = this.#translate(error);
      for (const entry of group) entry.reject(reason);
      return;
    }
    group.forEach((entry, position) => {
      const outcome = outcomes[position];
      if (outcome?.kind === "done") entry.resolve(outcome.value);
      else entry.reject(this.#translate(outcome?.error));
    });
  }

  async #attempt(group: Waiting<Tx>[]): Promise<Outcome[]> {
    const mostRetries = group.every(({ dispensable }) => dispensable) ? 0 : maxBusyRetries;
    for (let retries = 0; ; retries += 1) {
      try {
        const outcomes = await this.#runGroup(group);
        this.#isKeptLocked = false;
        return outcomes;
      } catch (error) {
        this.#isKeptLocked = isBusy(error);
        if (!this.#isKeptLocked) throw error;
        this.#refuseDispensable(this.#translate(error));
        if (retries >= mostRetries) throw error;
        this.#driver.reconnect();
        await new Promise((resolve) => setTimeout(resolve, busyPauseMs));
      }
    }
  }

  /** Refuses the dispensable writes that wait behind a group which is still being retried. */
  #refuseDispensable(reason: unknown): void {
    const refused = this.#waiting.filter(({ dispensable }) => dispensable);
    this.#waiting = this.#waiting.filter(({ dispensable }) => !dispensable);
    for (const { reject } of refused) reject(reason);
  }

  async #runGroup(group: Waiting<Tx>[]): Promise<Outcome[]> {
    const isKept = group[0]?.place !== "dryRun";
    const outcomes = await this.#inTransaction((open) => this.#runTogether(open, group), isKept);
    return outcomes ?? this.#inTransaction((open) => this.#runApart(open, group));
  }

  /** Commits if the body returns a value and it is to be kept; rolls back if it returns undefined or throws. */
  async #inTransaction<T>(body: (open: OpenTransaction) => Promise<T>, isKept = true): Promise<T> {
    const open = await this.#driver.begin();
    try {
      const result = await body(open);
      if (result === undefined || !isKept) await open.rollback();
      else await open.commit();
      return result;
    } catch (error) {
      await open.rollback();
      throw error;
    }
  }

  /** Undefined if one of the writes failed. */
  async #runTogether(open: OpenTransaction, group: Waiting<Tx>[]): Promise<Outcome[] | undefined> {
    const tx = this.#transactionOver(open);
    const outcomes: Outcome[] = [];
    try {
      for (const { work, patient } of group) {
        if (!patient) await this.#finish(tx);
        outcomes.push({ kind: "done", value: await work(tx) });
      }
      await this.#finish(tx);
    } catch (error) {
      if (endsEverything(error, open) || group.length === 1) throw error;
      return undefined;
    }
    return outcomes;
  }

  async #runApart(open: OpenTransaction, group: Waiting<Tx>[]): Promise<Outcome[]> {
    const outcomes: Outcome[] = [];
    for (const { work } of group) outcomes.push(await this.#runInSavepoint(open, work));
    return outcomes;
  }

  async #runInSavepoint(open: OpenTransaction, work: Work<Tx, unknown>): Promise<Outcome> {
    const tx = this.#transactionOver(open);
    await open.run("SAVEPOINT work");
    try {
      const value = await work(tx);
      await this.#finish(tx);
      await open.run("RELEASE work");
      return { kind: "done", value };
    } catch (error) {
      if (endsEverything(error, open)) throw error;
      await open.run("ROLLBACK TO work");
      await open.run("RELEASE work");
      return { kind: "failed", error };
    }
  }
}

async function runOutside<Tx>(group: readonly Waiting<Tx>[]): Promise<Outcome[]> {
  // Work outside a transaction does not use its parameter.
  const value = await group[0]?.work(undefined as Tx);
  return [{ kind: "done", value }];
}

/** A full disk or a lost lock ends the whole transaction, and with it every write of the group. */
function endsEverything(error: unknown, open: OpenTransaction): boolean {
  return isBusy(error) || !open.isOpen;
}

import type { Audit } from "../governance/audit/audit.ts";
import type { Ground } from "../ground.ts";
import { isMemsvcError } from "../operation/errors.ts";
import type { Sql } from "../store/sql.ts";
import type { DryRun, Transaction } from "../store/store.ts";

/**
 * What happens to the rows of a family when their time has come. The steps are listed in `expiry-steps.ts`.
 */
export interface ExpiryStep {
  /** The plural of what is changed; names the count in the sweep's audit entry. */
  readonly name: string;
  /**
   * A constant SQL query that returns a row when something is due at the time `?1`, in milliseconds since
   * 1970. It runs before every read and write of coordination, so an index must answer it.
   */
  readonly due: string;
  /** Changes every row that is due, with all consequences. Returns the ids of the changed rows. */
  carryOut(tx: Transaction, ground: Ground): Promise<readonly string[]>;
}

/**
 * Conditions that may come true at any time, such as a matching observation; only the sweep looks at them.
 */
export interface Conditions {
  /** Evaluates the conditions. Runs outside of any transaction, because it may take long. */
  look(): Promise<ConditionLook>;
}

export interface ConditionLook {
  readonly hasChanges: boolean;
  /**
   * Applies the conditions that came true before their deadline, even if the deadline is over by now. Returns
   * the changed ids.
   */
  beforeTime(tx: Transaction): Promise<readonly string[]>;
  /** Applies all conditions that are met; called after the expiry steps have run. Returns the changed ids. */
  carryOut(tx: Transaction): Promise<readonly string[]>;
}

interface Services {
  readonly audit: Audit;
  readonly sentinels: Conditions;
}

/** The ids that a step changed, with the step's name. */
interface Changes {
  readonly name: string;
  readonly ids: readonly string[];
}

/**
 * Applies expiries to coordination. Correctness never depends on a timer: the sweep looks for due rows, and
 * so does every read and write, so that an expired row is never taken for a live one.
 */
export class Clockwork {
  readonly #ground: Ground;
  readonly #services: Services;
  readonly #steps: readonly ExpiryStep[];

  constructor(ground: Ground, services: Services, steps: readonly ExpiryStep[]) {
    this.#ground = ground;
    this.#services = services;
    this.#steps = steps;
  }

  /** Has to be awaited before coordination is read outside a transaction. */
  async beforeRead(): Promise<void> {
    const { store } = this.#ground;
    // A read-only store shows expired rows as they are, until somebody opens it for writing.
    if (store.isReadOnly) return;
    if ((await this.#due(store.read.sql)).length > 0) await store.write((tx) => this.beforeWrite(tx));
  }

  /**
   * Has to be awaited before everything is read, as for an export: applies the conditions of sentinels, too. If another
   * process keeps the store locked, they are applied later; every record read has its times with it.
   */
  async beforeReadOfAll(): Promise<void> {
    const { store, log } = this.#ground;
    if (store.isReadOnly) return;
    try {
      await this.sweep({ dispensable: true });
    } catch (error) {
      if (!isMemsvcError(error, "unavailable")) throw error;
      log("warn", "everything is read before time had its effect", { reason: error.message });
    }
  }

  /** Has to be awaited in a transaction before coordination is read or changed there. */
  async beforeWrite(tx: Transaction): Promise<void> {
    await this.#note(tx, await this.#carryOut(tx));
  }

  /** Runs the work in a write transaction, after all expiries have been applied; these stay applied if it is refused. */
  async write<T>(work: (tx: Transaction) => Promise<T>, { dryRun }: DryRun = {}): Promise<T> {
    const inTime = async (tx: Transaction) => {
      await this.beforeWrite(tx);
      return work(tx);
    };
    try {
      return await this.#ground.store.write(inTime, { dryRun });
    } catch (error) {
      // Rolled back again and again, what counts from now would never be over.
      if (isMemsvcError(error, "conflict")) await this.beforeRead();
      throw error;
    }
  }

  /** Applies all expiries and all conditions. Returns how many rows it changed. */
  async sweep(sharing: { readonly dispensable?: boolean } = {}): Promise<number> {
    const { store } = this.#ground;
    const look = await this.#services.sentinels.look();
    const due = await this.#due(store.read.sql);
    if (due.length === 0 && !look.hasChanges) return 0;
    return store.write(async (tx) => {
      const inTime = { name: "sentinels", ids: await look.beforeTime(tx) };
      const byTime = await this.#carryOut(tx);
      return this.#note(tx, [inTime, ...byTime, { name: "sentinels", ids: await look.carryOut(tx) }]);
    }, sharing);
  }

  /**
   * The steps that have something to do, by a single statement: each statement to a remote store takes a
   * network round trip.
   */
  async #due(sql: Sql): Promise<readonly ExpiryStep[]> {
    if (this.#steps.length === 0) return [];
    const looks = this.#steps.map(({ due }) => `EXISTS (${due})`);
    const [isDue = []] = await sql.values(`SELECT ${looks.join(", ")}`, [this.#ground.now()]);
    return this.#steps.filter((_, at) => isDue[at] === 1);
  }

  async #carryOut(tx: Transaction): Promise<Changes[]> {
    const changes: Changes[] = [];
    for (const step of await this.#due(tx.sql))
      changes.push({ name: step.name, ids: await step.carryOut(tx, this.#ground) });
    return changes;
  }

  /** Writes one audit entry for all changes. Returns how many rows were changed. */
  async #note(tx: Transaction, changes: readonly Changes[]): Promise<number> {
    const changed = changes.flatMap(({ ids }) => ids);
    if (changed.length === 0) return 0;
    const details: Record<string, number> = {};
    for (const { name, ids } of changes)
      if (ids.length > 0) details[name] = (details[name] ?? 0) + ids.length;
    await this.#services.audit.recordSweep(tx, changed, details);
    return changed.length;
  }
}

import type { Audit } from "../governance/audit/audit.ts";
import type { Ground } from "../ground.ts";
import { isMemsvcError } from "../operation/errors.ts";
import type { Sql } from "../store/sql.ts";
import type { DryRun, Transaction } from "../store/store.ts";

/** What becomes of a family's rows when their time has come. Families list theirs in `expiry-steps.ts`. */
export interface ExpiryStep {
  /** What is changed, in the plural: a word of the sweep's audit entry. */
  readonly name: string;
  /**
   * A constant statement that gives a row when something is due at the time `?1`, in milliseconds since 1970. It is asked
   * before every read and write of coordination, so an index must answer it.
   */
  readonly due: string;
  /** Changes every row whose time has come, with all that follows from it. Returns the ids of what it changed. */
  carryOut(tx: Transaction, ground: Ground): Promise<readonly string[]>;
}

/** What may come true at any time, such as that something arrives: looked at by the sweep alone. */
export interface Conditions {
  /** Looks outside of any transaction, as it may take a while. */
  look(): Promise<ConditionLook>;
}

export interface ConditionLook {
  readonly cameToSomething: boolean;
  /** Changes what came true in its time, though that is over by now. Returns the ids. */
  beforeTime(tx: Transaction): Promise<readonly string[]>;
  /** Changes what is to be changed once time has had its effect. Returns the ids. */
  carryOut(tx: Transaction): Promise<readonly string[]>;
}

interface Services {
  readonly audit: Audit;
  readonly sentinels: Conditions;
}

/** Ids of what was changed, under the name of its step. */
interface Changes {
  readonly name: string;
  readonly ids: readonly string[];
}

/**
 * Lets time have its effect on coordination. Nothing depends on a timer: a sweep looks at the rows, and so does whoever reads
 * or changes them, so that nothing expired is ever taken for live.
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

  /** To be awaited before coordination is read outside a transaction. */
  async beforeRead(): Promise<void> {
    const { store } = this.#ground;
    // Time has its effect there once somebody may write.
    if (store.isReadOnly) return;
    if ((await this.#due(store.read.sql)).length > 0) await store.write((tx) => this.beforeWrite(tx));
  }

  /**
   * To be awaited before everything is read, as for an export: what sentinels watch for has its effect, too. Where another
   * process keeps the store locked it has that later: what is read bears its times with it.
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

  /** To be awaited in a transaction before coordination is looked at or changed there. */
  async beforeWrite(tx: Transaction): Promise<void> {
    await this.#note(tx, await this.#carryOut(tx));
  }

  /** Runs the work in a write transaction in which time has had its effect. */
  write<T>(work: (tx: Transaction) => Promise<T>, { dryRun }: DryRun = {}): Promise<T> {
    const inTime = async (tx: Transaction) => {
      await this.beforeWrite(tx);
      return work(tx);
    };
    return this.#ground.store.write(inTime, { dryRun });
  }

  /** Looks at everything. Returns how many rows it changed. */
  async sweep(sharing: { readonly dispensable?: boolean } = {}): Promise<number> {
    const { store } = this.#ground;
    const look = await this.#services.sentinels.look();
    const due = await this.#due(store.read.sql);
    if (due.length === 0 && !look.cameToSomething) return 0;
    return store.write(async (tx) => {
      const inTime = { name: "sentinels", ids: await look.beforeTime(tx) };
      const byTime = await this.#carryOut(tx);
      return this.#note(tx, [inTime, ...byTime, { name: "sentinels", ids: await look.carryOut(tx) }]);
    }, sharing);
  }

  /** Those of the steps that have something to do. One statement: a store on a server answers each over the network. */
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

  /** Leaves one entry for everything that was changed at once. Returns how many rows that were. */
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

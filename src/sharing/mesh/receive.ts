import type { Projects } from "../../capture/projects/projects.ts";
import type { Audit } from "../../governance/audit/audit.ts";
import type { Writing } from "../../governance/transfer/collection.ts";
import { newImportState } from "../../governance/transfer/import-state.ts";
import { graphSettled } from "../../graph/structural/settled.ts";
import type { Ground } from "../../ground.ts";
import type { ByteStream } from "../../operation/define.ts";
import { isMemsvcError } from "../../operation/errors.ts";
import { withWritten } from "../../store/faults.ts";
import type { DryRun, Transaction } from "../../store/store.ts";
import { applyTombstones } from "./apply-tombstones.ts";
import { noteArrivals } from "./arrivals.ts";
import { deletions } from "./deletions.ts";
import { collectionOf, type ExchangedTable, exchangedTables } from "./exchanged-tables.ts";
import { Faults, readRows, type Sending, type TombstoneRow, tombstonesOf } from "./incoming.ts";
import { newerRows, type RowHead } from "./newer-rows.ts";
import type { Received } from "./record.ts";
import { type MeshScope, meshScopes } from "./scope-names.ts";
import { type ArrivedRow, Settling } from "./settling.ts";
import { Spool } from "./spool.ts";

const rowsPerTransaction = 1_000;

interface Services {
  readonly audit: Audit;
  readonly projects: Projects;
}

interface From {
  /** The peer that the rows were pulled from; undefined when they were sent to us. */
  readonly peer?: { readonly id: string; readonly name: string };
  /** The scopes that the peer was asked for; all scopes when the rows were sent to us. */
  readonly scopes?: readonly MeshScope[];
}

/** The outcome, and how many rows here were deleted because they had been deleted elsewhere. */
export interface TakenRows extends Received {
  readonly deleted: number;
}

/** Runs `work` in a write transaction that no other request shares. */
type Write = <T>(work: (tx: Transaction) => Promise<T>) => Promise<T>;

interface Sender {
  /** Set for a peer that is known here. */
  readonly id: string | undefined;
  readonly name: string | undefined;
}

/** A checked row, of which only the fields that the exchange itself needs are typed. */
interface ReadRow extends RowHead, ArrivedRow {
  readonly origin?: unknown;
}

/** Reads a body of rows. Errors: invalid_input for a body that is no such object; too_large. */
export type ReadBody = (body: ByteStream) => Promise<Sending>;

/**
 * Takes rows from another store. First `gather` reads all of them, then they are stored, a thousand to a
 * transaction. Of two versions of a row the one that was changed later wins. A dry run does all of it in one
 * transaction that is rolled back. Errors: those of `gather`.
 */
export async function receiveRows(
  ground: Ground,
  services: Services,
  gather: (read: ReadBody) => Promise<Sending>,
  { peer, scopes = meshScopes, dryRun }: From & DryRun,
): Promise<TakenRows> {
  const spool = new Spool(ground.home);
  const faults = new Faults();
  try {
    const reading = { maxBytes: ground.settings.maxImportBytes, now: ground.now(), scopes };
    const sending = await gather((body) => readRows(body, spool, faults, reading));
    const sender = { id: peer?.id, name: peer?.name ?? sending.from };
    await graphSettled(ground);
    const intakeOf = (write: Write) => new Intake(ground, services, faults, sender, write);
    const takeIn = async (intake: Intake) => {
      for (const one of exchangedTables) {
        // The collection's schema made these rows before they went into the spool.
        for await (const batch of spool.batches(one.array, rowsPerTransaction))
          await intake.take(one, batch as ReadRow[]);
      }
      for (const kind of deletions.keys()) {
        for await (const batch of spool.batches(tombstonesOf(kind), rowsPerTransaction))
          await intake.bury(kind, batch as TombstoneRow[]);
      }
      await intake.settle(peer === undefined ? sending : undefined);
      return intake;
    };
    const { accepted, skipped, deleted } =
      dryRun === true
        ? await ground.store.writeAlone((tx) => takeIn(intakeOf((work) => work(tx))), { dryRun })
        : await keeping(
            ground,
            intakeOf((work) => ground.store.writeAlone(work)),
            takeIn,
          );
    ground.wakeJobs();
    return { accepted, skipped, deleted, rejected: faults.count, issues: faults.issues };
  } finally {
    // A dry run has cached project aliases that were rolled back.
    if (dryRun === true) services.projects.forgetKnown();
    await spool.close();
  }
}

/** Stores rows in several transactions: those before a failure stay committed, and the error says so. */
async function keeping(
  { store }: Ground,
  intake: Intake,
  work: (intake: Intake) => Promise<Intake>,
): Promise<Intake> {
  try {
    return await work(intake);
  } catch (raised) {
    const { accepted } = intake;
    if (accepted === 0) throw raised;
    const were = `${accepted} of the rows were`;
    throw withWritten(store.faultOf(raised), `${were} stored, the rest was not`);
  }
}

class Intake {
  accepted = 0;
  skipped = 0;
  deleted = 0;
  readonly #ground: Ground;
  readonly #services: Services;
  readonly #faults: Faults;
  readonly #sender: Sender;
  readonly #write: Write;
  readonly #settling = new Settling();
  readonly #counts: Record<string, number> = {};
  readonly #notes = newImportState();

  constructor(ground: Ground, services: Services, faults: Faults, sender: Sender, write: Write) {
    this.#ground = ground;
    this.#services = services;
    this.#faults = faults;
    this.#sender = sender;
    this.#write = write;
  }

  /** Stores rows together; if that fails, each by itself, so that only the faulty ones are left out. */
  async take(one: ExchangedTable, rows: readonly ReadRow[]): Promise<void> {
    try {
      this.#count(one.array, rows.length, await this.#put(one, rows));
    } catch (error) {
      if (this.#isOfTheStore(error)) throw error;
      const [row] = rows;
      if (rows.length > 1) for (const single of rows) await this.take(one, [single]);
      else if (row !== undefined)
        this.#faults.add(`${one.array}.${row.id}`, [
          { path: "", message: "conflicts with what is stored here" },
        ]);
    }
  }

  async bury(kind: string, rows: readonly TombstoneRow[]): Promise<void> {
    const now = this.#ground.now();
    const { changed, gone } = await this.#write(async (tx) => {
      // A record that was dropped elsewhere for want of use may be in use here.
      const deleted = rows.filter(({ faded }) => !faded);
      const buried = await applyTombstones(tx, this.#ground, kind, deleted);
      const names = buried.changed.map((id) => `${kind} ${id}`);
      await noteArrivals(tx.sql, "tombstone", names, { now, peerId: this.#sender.id });
      return buried;
    });
    this.deleted += gone.size;
    this.#count("tombstones", rows.length, changed.length);
  }

  /**
   * Repairs what depends on the rows that came. With `sending`, the rows were sent to us: that gets an audit
   * entry of its own.
   */
  async settle(sending: Sending | undefined): Promise<void> {
    if (this.accepted + this.skipped === 0) return;
    await this.#write(async (tx) => {
      await this.#settling.settle(this.#writing(tx, "newest"));
      if (sending === undefined || this.accepted === 0) return;
      await this.#services.audit.record(tx, {
        operation: "mesh_receive",
        functionId: "mesh.receive",
        targetIds: [],
        details: {
          peer: sending.from,
          counts: this.#counts,
          skipped: this.skipped,
          rejected: this.#faults.count,
        },
      });
    });
  }

  async #put(one: ExchangedTable, rows: readonly ReadRow[]): Promise<number> {
    const now = this.#ground.now();
    // Also rows that are known: an earlier intake that was interrupted may have stored them without settling.
    this.#settling.add(one.array, rows);
    return this.#write(async (tx) => {
      const newer = (await newerRows(tx.sql, one, rows)).map((row) => this.#signed(row));
      if (newer.length === 0) return 0;
      const strategy = one.onlyIfAbsent === true ? "skip" : "newest";
      const written = await collectionOf(one).put(this.#writing(tx, strategy), newer);
      const ids = newer.map(({ id }) => id);
      await noteArrivals(tx.sql, one.kind, ids, { now, peerId: this.#sender.id });
      return written;
    });
  }

  /** Adds the sender's name to a row that records its origin. */
  #signed(row: ReadRow): ReadRow {
    const { name } = this.#sender;
    if (name === undefined || typeof row.origin !== "object") return row;
    return { ...row, origin: { ...row.origin, detail: name } };
  }

  #writing(tx: Transaction, strategy: Writing["strategy"]): Writing {
    const { projects } = this.#services;
    return { tx, ground: this.#ground, projects, strategy, warn: () => undefined, ...this.#notes };
  }

  #count(array: string, given: number, written: number): void {
    this.accepted += written;
    this.skipped += given - written;
    if (written > 0) this.#counts[array] = (this.#counts[array] ?? 0) + written;
  }

  /** Whether the store itself failed, and not the row. */
  #isOfTheStore(error: unknown): boolean {
    const fault = this.#ground.store.faultOf(error);
    return (
      isMemsvcError(fault, "disk_full") ||
      isMemsvcError(fault, "store_damaged") ||
      isMemsvcError(fault, "unavailable")
    );
  }
}

import type { Projects } from "../../capture/projects/projects.ts";
import type { Audit } from "../../governance/audit/audit.ts";
import type { Writing } from "../../governance/transfer/collection.ts";
import { newImportState } from "../../governance/transfer/import-state.ts";
import type { Ground } from "../../ground.ts";
import { enqueuePurge } from "../../index/words/purge.ts";
import { isMemsvcError } from "../../operation/errors.ts";
import type { Transaction } from "../../store/store.ts";
import { applyTombstones } from "./apply-tombstones.ts";
import { noteArrivals } from "./arrivals.ts";
import type { ExchangedTable } from "./exchanged-tables.ts";
import type { Faults, Sending, TombstoneRow } from "./incoming.ts";
import { newerRows, type RowHead } from "./newer-rows.ts";
import { type ArrivedRow, Settling } from "./settling.ts";

export interface IntakeServices {
  readonly audit: Audit;
  readonly projects: Projects;
}

/** Runs `work` in a write transaction that no other request shares. */
export type Write = <T>(work: (tx: Transaction) => Promise<T>) => Promise<T>;

interface Sender {
  /** Set for a peer that is known here. */
  readonly id: string | undefined;
  readonly name: string | undefined;
}

/** A checked row, of which only the fields that the exchange itself needs are typed. */
export interface ReadRow extends RowHead, ArrivedRow {
  readonly origin?: unknown;
}

/** Stores the rows of one exchange, and counts what became of them. */
export class Intake {
  accepted = 0;
  skipped = 0;
  deleted = 0;
  readonly #ground: Ground;
  readonly #services: IntakeServices;
  readonly #faults: Faults;
  readonly #sender: Sender;
  readonly #write: Write;
  readonly #settling = new Settling();
  readonly #counts: Record<string, number> = {};
  readonly #notes = newImportState();

  constructor(ground: Ground, services: IntakeServices, faults: Faults, sender: Sender, write: Write) {
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
      if (buried.gone.size > 0) await enqueuePurge(tx, this.#ground);
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
      const written = await one.collection.put(this.#writing(tx, strategy), newer);
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

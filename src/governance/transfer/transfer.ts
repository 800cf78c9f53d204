import type { Clockwork } from "../../coordination/clockwork.ts";
import { graphSettled } from "../../graph/structural/settled.ts";
import type { Ground } from "../../ground.ts";
import { enlargeHeaps } from "../../jobs/heaps.ts";
import type { Consolidations } from "../../knowledge/consolidation/consolidations.ts";
import type { ByteStream } from "../../operation/define.ts";
import type { DryRun } from "../../store/store.ts";
import type { AskedBy } from "../audit/audit.ts";
import { presentStats } from "../snapshots/present-stats.ts";
import type { Imported } from "./answers.ts";
import type { ExportInput } from "./export.ts";
import type { ImportServices } from "./import.ts";
import type { RowReading } from "./row-reading.ts";

interface Services extends ImportServices {
  readonly clockwork: Clockwork;
  readonly consolidations: Pick<Consolidations, "askAgain">;
}

/** Exports the whole store as JSON, and imports it. The families' collections are loaded on first use. */
export class Transfer {
  readonly #ground: Ground;
  readonly #services: Services;
  readonly #readRows: RowReading | undefined;

  /** `readRows`: where the rows of an import are read; by default on the caller's thread. */
  constructor(ground: Ground, services: Services, readRows?: RowReading) {
    this.#ground = ground;
    this.#services = services;
    this.#readRows = readRows;
  }

  /**
   * The text of an export, in blocks. The view of the store stays open from the first block until the last,
   * or until return().
   */
  async *export(input: ExportInput, by: AskedBy = {}): AsyncGenerator<Uint8Array> {
    await this.#services.clockwork.beforeReadOfAll();
    const { exportStore } = await import("./export.ts");
    const takeRoomBack = enlargeHeaps();
    try {
      yield* exportStore(this.#ground, this.#services, input, by);
    } finally {
      takeRoomBack();
    }
  }

  /** How many rows a full export would hold. */
  async counts(): Promise<Record<string, unknown>> {
    await graphSettled(this.#ground);
    return { ...(await presentStats(this.#ground.store.read.sql)) };
  }

  /** Errors: invalid_input with the first faults; too_large. */
  async import(body: ByteStream, by: AskedBy = {}, { dryRun }: DryRun = {}): Promise<Imported> {
    const { importStore } = await import("./import.ts");
    const done = await importStore(this.#ground, this.#services, body, {
      by,
      dryRun,
      readRows: this.#readRows,
    });
    if (done.strategy === "replace" && done.dryRun !== true) this.#services.consolidations.askAgain();
    return done;
  }
}

import { setImmediate as nextTurn } from "node:timers/promises";
import { firstRow, type Sql } from "../store/sql.ts";
import { type ChangeLog, changesAfter, type LogPosition } from "./change-log.ts";

/** `lost`: the log no longer contains the position read last, so everything has to be read again. */
type Followed = "unchanged" | "followed" | "lost";

/** Follows a log of changes, whichever process made them. */
export class ChangeFollower {
  readonly #sql: Sql;
  readonly #log: ChangeLog;
  readonly #rowsAtOnce: number;
  #position: LogPosition;
  /** `PRAGMA data_version` when the log was read last; it changes with every commit of another connection. */
  #dataVersion: number | undefined;
  #reconnections = 0;

  constructor(sql: Sql, log: ChangeLog, position: LogPosition, rowsAtOnce: number) {
    this.#sql = sql;
    this.#log = log;
    this.#position = position;
    this.#rowsAtOnce = rowsAtOnce;
  }

  /** How far the log was read. */
  get position(): LogPosition {
    return this.#position;
  }

  /** To be called when another connection reads from now on: each connection counts data versions on its own. */
  reconnected(): void {
    this.#reconnections += 1;
    this.#dataVersion = undefined;
  }

  /** Passes on, in batches, the documents that changed since the last call. Yields to the event loop in between. */
  async follow(take: (documentIds: readonly number[]) => Promise<void>): Promise<Followed> {
    const reconnections = this.#reconnections;
    const version = await firstRow<{ data_version: number }>(this.#sql, "PRAGMA data_version");
    if (this.#dataVersion !== undefined && this.#dataVersion === version?.data_version) return "unchanged";
    for (;;) {
      const changes = await changesAfter(this.#sql, this.#log, this.#position, this.#rowsAtOnce);
      if (changes === undefined) return "lost";
      if (changes.documentIds.length > 0) await take(changes.documentIds);
      this.#position = changes.position;
      if (changes.isLast) break;
      await nextTurn();
    }
    // A version of the connection before would say nothing about the present one.
    if (this.#reconnections === reconnections) this.#dataVersion = version?.data_version;
    return "followed";
  }
}

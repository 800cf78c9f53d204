import { setImmediate as nextTurn } from "node:timers/promises";
import { firstRow, type Sql } from "../store/sql.ts";
import { type ChangeLog, changesAfter, type LogPosition } from "./change-log.ts";

/** `lost`: the log does not go back as far as what was read last, and everything has to be read anew. */
type Followed = "unchanged" | "followed" | "lost";

/** Keeps up with a log of changes, whichever process made them. */
export class ChangeFollower {
  readonly #sql: Sql;
  readonly #log: ChangeLog;
  readonly #rowsAtOnce: number;
  #position: LogPosition;
  /** The database as it was when the log was read; it changes with every commit of others. */
  #dataVersion: number | undefined;

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

  /** Told that another connection reads from now on: it counts the database's versions anew. */
  reconnected(): void {
    this.#dataVersion = undefined;
  }

  /** Hands over the documents that changed since, some at once, with turns for the event loop. */
  async follow(take: (documentIds: readonly number[]) => Promise<void>): Promise<Followed> {
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
    this.#dataVersion = version?.data_version;
    return "followed";
  }
}

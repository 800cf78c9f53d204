import { setImmediate as nextTurn } from "node:timers/promises";
import { type Column, getTableName } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { type BulkInsert, bulkInsert } from "./bulk-insert.ts";
import { type NamedColumn, namedColumns, type RowOf, rowReader } from "./row-reader.ts";
import { listedColumns, type Sql, type SqlValue } from "./sql.ts";

/*
 * Reads and writes whole rows of a table in bulk. The statements are made once from the table's declaration and stay
 * prepared: building a query for every single row takes longer than the row itself.
 */

const clearedAtOnce = 500;

interface TableRowsOptions<Table extends SQLiteTable> {
  /** Columns that identify a row; they need an index. */
  readonly key: readonly (keyof RowOf<Table> & string)[];
  /** Columns that the database fills in. */
  readonly generated?: readonly (keyof RowOf<Table> & string)[];
}

/** The text after WHERE, with `?` for its arguments; a constant text. */
export interface RowCondition {
  readonly text: string;
  readonly args: readonly SqlValue[];
}

const every: RowCondition = { text: "true", args: [] };

/** Reads and writes whole rows of a table. */
export class TableRows<Table extends SQLiteTable> {
  readonly #columns: readonly NamedColumn[];
  readonly #keyProperties: readonly string[];
  readonly #rowOf: (values: readonly SqlValue[]) => RowOf<Table>;
  readonly #name: string;
  readonly #selectAll: string;
  readonly #beyond: string;
  readonly #firstOnes: string;
  readonly #selectKeys: string;
  readonly #written: readonly NamedColumn[];
  readonly #upsert: string;
  readonly #deleteSome: string;
  readonly #insertMany: BulkInsert;

  constructor(table: Table, { key, generated = [] }: TableRowsOptions<Table>) {
    this.#columns = namedColumns(table);
    this.#rowOf = rowReader(table);
    this.#keyProperties = key;
    this.#name = `"${getTableName(table)}"`;
    const keys = key.map((property) => quoted(this.#columnOf(property).name));
    const names = this.#columns.map(({ name }) => quoted(name));
    const keyList = keys.join(", ");
    const marks = keys.map(() => "?").join(", ");
    this.#deleteSome = `DELETE FROM ${this.#name} WHERE rowid IN (SELECT rowid FROM ${this.#name} LIMIT ?)`;
    this.#selectAll = `SELECT ${names.join(", ")} FROM ${this.#name}`;
    this.#beyond = `(${keyList}) > (${marks})`;
    this.#firstOnes = `ORDER BY ${keyList} LIMIT ?`;
    this.#selectKeys = `${this.#selectAll}
      WHERE (${keyList}) IN (SELECT ${listedColumns(keys.length)} FROM json_each(?))`;
    this.#written = this.#columns.filter(({ property }) => !generated.includes(property));
    const writtenNames = this.#written.map(({ name }) => quoted(name));
    const updates = this.#written
      .filter(({ property }) => !this.#keyProperties.includes(property))
      .map(({ name }) => `${quoted(name)} = excluded.${quoted(name)}`);
    const into = `INTO ${this.#name} (${writtenNames.join(", ")})`;
    const marked = `(${writtenNames.map(() => "?").join(", ")})`;
    this.#insertMany = bulkInsert(`INSERT OR FAIL ${into}`, marked);
    this.#upsert = `INSERT ${into} VALUES ${marked}
      ON CONFLICT (${keyList}) DO ${updates.length === 0 ? "NOTHING" : `UPDATE SET ${updates.join(", ")}`}`;
  }

  /**
   * All rows, or those that meet a condition, in the order of their keys, page by page. Each page is read when the
   * previous one was consumed, and the page size may change.
   */
  async *pages(
    sql: Sql,
    pageSize: number | (() => number),
    only: RowCondition = every,
  ): AsyncGenerator<RowOf<Table>[]> {
    let after: RowOf<Table> | undefined;
    do {
      const size = typeof pageSize === "number" ? pageSize : pageSize();
      const beyond = after === undefined ? "" : ` AND ${this.#beyond}`;
      const text = `${this.#selectAll} WHERE ${only.text}${beyond} ${this.#firstOnes}`;
      const keys = after === undefined ? [] : this.#keyValues(after);
      const rows = await this.#read(sql, text, [...only.args, ...keys, size]);
      if (rows.length > 0) yield rows;
      after = rows.length < size ? undefined : rows.at(-1);
    } while (after !== undefined);
  }

  /** Rows of a query; `tail` is the text after `SELECT … FROM <table>`, a constant. */
  select(sql: Sql, tail: string, args: readonly SqlValue[] = []): Promise<RowOf<Table>[]> {
    return this.#read(sql, `${this.#selectAll} ${tail}`, args);
  }

  /** The stored rows with the same keys as the given ones. */
  async sameKeys(sql: Sql, rows: readonly RowOf<Table>[]): Promise<RowOf<Table>[]> {
    const keys = JSON.stringify(rows.map((row) => this.#keyValues(row)));
    return this.#read(sql, this.#selectKeys, [keys]);
  }

  /** The row's key as one string: its id, or the values of several columns as JSON. */
  keyOf(row: RowOf<Table>): string {
    const [id, ...others] = this.#keyValues(row);
    return others.length === 0 ? String(id) : JSON.stringify([id, ...others]);
  }

  /** Inserts a row, or replaces the one with the same key. */
  async put(sql: Sql, row: RowOf<Table>): Promise<void> {
    await sql.run(this.#upsert, this.#valuesOf(row));
  }

  /** Inserts rows whose keys are new. */
  async insertMany(sql: Sql, rows: readonly RowOf<Table>[]): Promise<void> {
    await this.#insertMany(
      sql,
      rows.map((row) => this.#valuesOf(row)),
    );
  }

  /**
   * Deletes all rows and yields to the event loop between statements, so it must not be used in a shared transaction.
   */
  async clear(sql: Sql): Promise<number> {
    for (let cleared = 0; ; ) {
      const { changes } = await sql.run(this.#deleteSome, [clearedAtOnce]);
      if (changes === 0) return cleared;
      cleared += changes;
      await nextTurn();
    }
  }

  async #read(sql: Sql, text: string, args: readonly SqlValue[]): Promise<RowOf<Table>[]> {
    return (await sql.values(text, args)).map(this.#rowOf);
  }

  #valuesOf(row: RowOf<Table>): SqlValue[] {
    return this.#written.map(({ property, column }) => encoded(column, Reflect.get(row, property)));
  }

  #keyValues(row: RowOf<Table>): SqlValue[] {
    return this.#keyProperties.map((property) =>
      encoded(this.#columnOf(property).column, Reflect.get(row, property)),
    );
  }

  #columnOf(property: string): NamedColumn {
    const found = this.#columns.find((one) => one.property === property);
    if (found === undefined) throw new Error(`the table has no column ${property}`);
    return found;
  }
}

function encoded(column: Column, value: unknown): SqlValue {
  // A column's own encoding always gives a driver value.
  return value === null || value === undefined ? null : (column.mapToDriverValue(value) as SqlValue);
}

function quoted(name: string): string {
  return `"${name}"`;
}

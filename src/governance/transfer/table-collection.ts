import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type * as z from "zod";
import {
  clearDocuments,
  type DocumentInput,
  putDocuments,
  removeDocuments,
} from "../../index/documents/documents.ts";
import type { TableRows } from "../../store/table-rows.ts";
import {
  type Collection,
  type ImportedCollection,
  importedCollection,
  type Reading,
  type Writing,
} from "./collection.ts";
import { PageSizes, pageSize } from "./page-size.ts";
import { restoreDeleted } from "./restore-deleted.ts";

const mostRows = 500;

/** How rows become the records of a file: each by itself, or a page at once with what other tables hold of it. */
type Records<Row> =
  | { readonly record: (row: Row, reading: Reading) => object }
  | { readonly records: (page: readonly Row[], reading: Reading) => Promise<readonly object[]> };

/** The table's row for a row in a file, redacted; or a text that says why the row is left out. */
type Read<Table extends SQLiteTable> = Table["$inferSelect"] | string;

/** How rows of a file become rows of the table: each by itself, or a batch with what is read once for all of it. */
type Rows<Table extends SQLiteTable, Row> =
  | { readonly row: (given: Row, writing: Writing) => Promise<Read<Table>> | Read<Table> }
  | {
      readonly rowOfBatch: (
        batch: readonly Row[],
        writing: Writing,
      ) => Promise<(given: Row) => Promise<Read<Table>> | Read<Table>>;
    };

interface Fields<Table extends SQLiteTable, Row extends object>
  extends Pick<ImportedCollection, "settle" | "takenOut" | "nested"> {
  readonly name: string;
  readonly rows: TableRows<Table>;
  /** The schema of a row in a file. */
  readonly schema: z.ZodObject & z.ZodType<Row>;
  /** The field without whose words a row says nothing: it is left out then. */
  readonly words?: keyof Row & string;
  /** When a row was last changed: of two with one key the later is kept. */
  readonly changedAt: (row: Table["$inferSelect"]) => number;
  /**
   * A later row with the use of the stored one that it replaces, too: use counts as no change, and must not get lost.
   */
  readonly withUse?: (later: Table["$inferSelect"], stored: Table["$inferSelect"]) => Table["$inferSelect"];
  /** Merges the sets of both rows into the one that is kept. */
  readonly unite?: (kept: Table["$inferSelect"], other: Table["$inferSelect"]) => Table["$inferSelect"];
  /** Set for tables whose deletions other stores are told of, by the row's key. */
  readonly tombstones?: {
    readonly kind: string;
    /** The row with another time of change. */
    readonly changed: (row: Table["$inferSelect"], time: number) => Table["$inferSelect"];
  };
  /**
   * For searchable rows: the kind, and the index document of a row, which refers to it by its key; undefined for a row
   * that is not to be found.
   */
  readonly index?: {
    readonly kind: string;
    readonly document: (row: Table["$inferSelect"]) => DocumentInput | undefined;
  };
  /** Called after rows were written. */
  readonly onWritten?: (rows: readonly Table["$inferSelect"][], writing: Writing) => Promise<void>;
  /** Called before all rows are deleted. */
  readonly onClear?: (writing: Writing) => Promise<void>;
  /** Further fields of a file's row that are known but not read. */
  readonly ignored?: readonly string[];
  /** Set where an import never deletes or replaces rows. */
  readonly onlyAdded?: true;
}

type Declaration<Table extends SQLiteTable, Row extends object> = Fields<Table, Row> & Rows<Table, Row>;

type TableCollection<Table extends SQLiteTable, Row extends object> = Declaration<Table, Row> &
  Records<Table["$inferSelect"]>;

/** The collection of a table with one record per row. */
export function tableCollection<Table extends SQLiteTable, Row extends object>(
  own: TableCollection<Table, Row>,
): Collection {
  return {
    ...importedTable(own),
    pages: async function* (reading) {
      const { connection, settings, only } = reading;
      const sizes = new PageSizes(pageSize(settings, mostRows));
      for await (const page of own.rows.pages(connection.sql, sizes.next, only)) {
        const records =
          "records" in own ? await own.records(page, reading) : page.map((row) => own.record(row, reading));
        const text = records.map((record) => JSON.stringify(record)).join(",");
        sizes.note(page.length, text.length);
        yield text;
      }
    },
  };
}

/** The same of a table whose records an export makes in its own way. */
export function importedTable<Table extends SQLiteTable, Row extends object>(
  own: Declaration<Table, Row>,
): ImportedCollection {
  const { name, schema, settle, takenOut, nested } = own;
  return importedCollection<Row>({
    name,
    schema,
    fields: new Set([...Object.keys(schema.shape), ...(own.ignored ?? [])]),
    put: (writing, given) => putRows(own, writing, given),
    ...(own.onlyAdded === true ? {} : { clear: (writing: Writing) => clear(own, writing) }),
    settle,
    takenOut,
    nested,
  });
}

async function putRows<Table extends SQLiteTable, Row extends object>(
  own: Declaration<Table, Row>,
  writing: Writing,
  given: readonly Row[],
): Promise<number> {
  const { rows } = own;
  const { sql } = writing.tx;
  const incoming: Table["$inferSelect"][] = [];
  const rowOf =
    "rowOfBatch" in own ? await own.rowOfBatch(given, writing) : (one: Row) => own.row(one, writing);
  for (const one of given) {
    const row = saysNothing(own, one) ? "one without words was left out" : await rowOf(one);
    if (typeof row === "string") writing.warn(`${own.name}: ${row}`);
    else incoming.push(row);
  }
  const stored = new Map((await rows.sameKeys(sql, incoming)).map((row) => [rows.keyOf(row), row]));
  const wanted = new Map<string, Table["$inferSelect"]>();
  let written = 0;
  for (const row of incoming) {
    const key = rows.keyOf(row);
    const existing = wanted.get(key) ?? stored.get(key);
    const kept = existing === undefined ? row : survivor(own, writing, existing, row);
    if (kept === undefined) continue;
    wanted.set(key, kept);
    written += 1;
  }
  await markReturned(own, writing, wanted);
  const added: Table["$inferSelect"][] = [];
  for (const [key, row] of wanted) {
    if (stored.has(key)) await rows.put(sql, row);
    else added.push(row);
  }
  await rows.insertMany(sql, added);
  await indexRows(own, writing, wanted);
  await own.onWritten?.([...wanted.values()], writing);
  return written;
}

function saysNothing<Table extends SQLiteTable, Row extends object>(
  { words }: Declaration<Table, Row>,
  row: Row,
): boolean {
  const text = words === undefined ? undefined : row[words];
  return typeof text === "string" && text.trim() === "";
}

async function markReturned<Table extends SQLiteTable, Row extends object>(
  { tombstones, changedAt }: Declaration<Table, Row>,
  writing: Writing,
  wanted: Map<string, Table["$inferSelect"]>,
): Promise<void> {
  if (tombstones === undefined) return;
  const { kind, changed } = tombstones;
  const returning = [...wanted].map(([id, row]) => ({ id, updatedAt: changedAt(row) }));
  const back = await restoreDeleted(writing, kind, returning);
  for (const [id, row] of wanted) {
    const time = back.get(id);
    if (time !== undefined) wanted.set(id, changed(row, time));
  }
}

/** The row that replaces an existing one; undefined when that stays as it is. */
function survivor<Table extends SQLiteTable, Row extends object>(
  { changedAt, withUse = (row) => row, unite = (row) => row, onlyAdded }: Declaration<Table, Row>,
  { strategy }: Writing,
  existing: Table["$inferSelect"],
  row: Table["$inferSelect"],
): Table["$inferSelect"] | undefined {
  if (strategy === "skip" || onlyAdded === true) return undefined;
  const isLater = changedAt(row) > changedAt(existing);
  const later = isLater ? withUse(row, existing) : undefined;
  if (strategy === "newest") return later;
  const wanted = later === undefined ? unite(existing, row) : unite(later, existing);
  return JSON.stringify(wanted) === JSON.stringify(existing) ? undefined : wanted;
}

async function indexRows<Table extends SQLiteTable, Row extends object>(
  { index }: Declaration<Table, Row>,
  { tx }: Writing,
  rows: ReadonlyMap<string, Table["$inferSelect"]>,
): Promise<void> {
  if (index === undefined) return;
  const documents: DocumentInput[] = [];
  const hidden: string[] = [];
  for (const [id, row] of rows) {
    const document = index.document(row);
    if (document === undefined) hidden.push(id);
    else documents.push(document);
  }
  await removeDocuments(tx, index.kind, hidden);
  await putDocuments(tx.sql, index.kind, documents);
}

async function clear<Table extends SQLiteTable, Row extends object>(
  { rows, index, onClear }: Declaration<Table, Row>,
  writing: Writing,
): Promise<number> {
  const { tx } = writing;
  await onClear?.(writing);
  const cleared = await rows.clear(tx.sql);
  if (index !== undefined) await clearDocuments(tx.sql, index.kind);
  return cleared;
}

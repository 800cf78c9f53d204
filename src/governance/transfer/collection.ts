import type * as z from "zod";
import type { Projects } from "../../capture/projects/projects.ts";
import type { Settings } from "../../config/load.ts";
import type { Ground } from "../../ground.ts";
import type { Connection, Transaction } from "../../store/store.ts";
import type { RowCondition } from "../../store/table-rows.ts";
import type { BoundedCache } from "./bounded-cache.ts";
import type { ImportStrategy } from "./strategies.ts";

/*
 * An export is a list of collections. Each belongs to the family whose tables it reads and writes, is
 * declared in that family's `transfer.ts`, and is listed in `collections.ts`. Most are one table with one
 * record per row and are declared with `tableCollection`.
 */

/** What an export is read from. */
export interface Reading {
  readonly connection: Connection;
  /** Milliseconds since 1970: the time for which computed fields are computed. */
  readonly now: number;
  /** Only rows of these sessions, for a page of an export. */
  readonly sessionIds?: readonly string[] | undefined;
  /** Only rows that meet an SQL condition on the collection's table; graph tables have the alias `r`. */
  readonly only?: RowCondition;
  /**
   * How many other records one record may name. A row that names more is written as several records, each
   * marked as a part.
   */
  readonly mostNamed?: number;
  /** Whether the bytes of images are included. */
  readonly includeImages: boolean;
  readonly home: string;
  readonly settings: Settings;
}

/** `newest`: of two rows with one key the later wins, and keeps the use of the other; nothing else is merged. */
type WritingStrategy = ImportStrategy | "newest";

/** What earlier rows of an import tell later ones. */
export interface ImportState {
  /** Projects whose rows were written: what was computed from them before is outdated. */
  readonly touchedProjects: Set<string>;
  /** A cache of keys of graph sources, by what they stand for. */
  readonly sourceKeys: BoundedCache<number>;
  /** Keys of graph nodes by their id in the file, where that differs from the stored id. */
  readonly nodeKeys: Map<string, number>;
  /** Keys of nodes and edges of which only the first of several partial records was stored so far. */
  readonly begun: { readonly node: Set<number>; readonly edge: Set<number> };
  /**
   * Sessions that a replace deleted and to which remaining commits are linked; the file may bring them back.
   */
  readonly clearedSessions: Set<string>;
  /** Collections of which a replace deleted all rows. */
  readonly cleared: Set<string>;
  /** Actions that the file says are blocked by their gates. */
  readonly waitingActions: Set<string>;
  /** Edges by which one action requires another; those that close a cycle are deleted again. */
  readonly requirements: Set<string>;
}

/** What an import writes to. */
export interface Writing extends ImportState {
  readonly tx: Transaction;
  readonly ground: Ground;
  readonly projects: Projects;
  readonly strategy: WritingStrategy;
  /** Set when nothing will be kept, so that no image file may be written either. */
  readonly dryRun?: boolean | undefined;
  /** Reports what was left out or changed; equal sentences are counted. */
  readonly warn: (sentence: string) => void;
}

/** How many of the given rows changed the store. */
type Written = number;

/** Rows of another collection that are nested in a row of this one. */
interface NestedRows {
  readonly collection: string;
  of(row: Readonly<Record<string, unknown>>): readonly Readonly<Record<string, unknown>>[];
}

/** One or more rows as JSON joined by commas, as text or as bytes. */
export type ExportPage = string | Uint8Array;

/**
 * A collection as an import stores it. `Checked` is what its schema makes of a row in a file, `Row` what is stored of
 * that.
 */
export interface ImportedCollection<Checked = unknown, Row = Checked> {
  /** The name of its member in the file. */
  readonly name: string;
  /** The schema of a row in a file: tolerates missing fields, but no wrong ones. */
  readonly schema: z.ZodType<Checked>;
  /** The known fields of a row; others are reported, not refused. */
  readonly fields: ReadonlySet<string>;
  /** How many rows are stored at once, for collections that gain from larger batches. */
  readonly rowsAtOnce?: number;
  /** Stores rows: new ones, and existing ones as the strategy says. */
  put(writing: Writing, rows: readonly Row[]): Promise<Written>;
  /**
   * Deletes all rows with what depends on them, and returns how many. Absent where rows are only ever added.
   */
  clear?(writing: Writing): Promise<number>;
  /**
   * Set when a replace clears the collection only after all other rows are stored, because storing them looks
   * at its old rows.
   */
  readonly clearedLast?: true;
  /** Repairs what needs the whole store, after all collections were written. */
  readonly settle?: ((writing: Writing) => Promise<void>) | undefined;
  /** How many of the rows that `put` wrote were removed again by `settle`. */
  readonly takenOut?: ((writing: Writing) => Promise<number>) | undefined;
  readonly nested?: NestedRows | undefined;
  /** Turns a checked row into the stored one, without access to the store; absent when they are the same. */
  ready?(checked: Checked): Row;
}

/** One that an export reads, too. Sessions and observations have their own place and order in the file. */
export interface Collection<Checked = unknown, Row = Checked> extends ImportedCollection<Checked, Row> {
  /** Rows in the order of their keys, page by page. */
  pages(reading: Reading): AsyncIterable<ExportPage>;
}

/** Erases the row's type, which only the collection itself knows. */
export function collection<Checked, Row = Checked>(own: Collection<Checked, Row>): Collection {
  return { ...importedCollection(own), pages: own.pages };
}

/** The same of a collection that is only imported. */
export function importedCollection<Checked, Row = Checked>(
  own: ImportedCollection<Checked, Row>,
): ImportedCollection {
  // The cast holds: `put` is only given what the schema of the same collection made.
  return own as unknown as ImportedCollection;
}

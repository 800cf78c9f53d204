import type * as z from "zod";
import type { Projects } from "../../capture/projects/projects.ts";
import type { Settings } from "../../config/load.ts";
import type { Ground } from "../../ground.ts";
import type { Connection, Transaction } from "../../store/store.ts";
import type { RowCondition } from "../../store/table-rows.ts";
import type { BoundedCache } from "./bounded-cache.ts";
import type { ImportStrategy } from "./strategies.ts";

/*
 * What an export holds is a list of collections. Each belongs to the family whose tables it reads and writes,
 * stands in that family's `transfer.ts`, and is named in `collections.ts`. Most are a table with a record and
 * are declared with `tableCollection`.
 */

/** What an export reads from. */
export interface Reading {
  readonly connection: Connection;
  /** Milliseconds since 1970: the time as of which computed fields are computed. */
  readonly now: number;
  /** Only rows of these sessions, for a page of an export. */
  readonly sessionIds?: readonly string[] | undefined;
  /** Only rows that meet a condition on the collection's table, which graph tables call `r`. */
  readonly only?: RowCondition;
  /** How many others a record names at most: a row that names more is told in several, which say that they are parts. */
  readonly mostNamed?: number;
  /** The bytes of images too. */
  readonly includeImages: boolean;
  readonly home: string;
  readonly settings: Settings;
}

/** `newest`: of two rows of one key the later stays as it is, and nothing is united. */
export type WritingStrategy = ImportStrategy | "newest";

/** What the rows that are written tell of those that follow. */
export interface ImportState {
  /** Project keys of rows that were written: what was computed of them before holds no more. */
  readonly touchedProjects: Set<string>;
  /** Keys of sources of the graph that were looked up lately, by what they stand for. */
  readonly sourceKeys: BoundedCache<number>;
  /** Keys of graph nodes by their ids in the file, where these are not the ids that they are stored under. */
  readonly nodeKeys: Map<string, number>;
  /** Keys of nodes and edges that were made of the first of several records: the others say more of them. */
  readonly begun: { readonly node: Set<number>; readonly edge: Set<number> };
  /** Sessions that a replace deleted while commits that stay are linked to them; the file may bring them back. */
  readonly clearedSessions: Set<string>;
}

/** What an import writes to. */
export interface Writing extends ImportState {
  readonly tx: Transaction;
  readonly ground: Ground;
  readonly projects: Projects;
  readonly strategy: WritingStrategy;
  /** Set where nothing of it will be kept, so that no file may be written either. */
  readonly dryRun?: boolean | undefined;
  /** Told of what was left out or changed; each sentence is reported once. */
  readonly warn: (sentence: string) => void;
}

/** How many of the rows that were handed over changed the store. */
export type Written = number;

/** Rows of another collection that a row in a file carries with it. */
interface Strays {
  readonly collection: string;
  of(row: Readonly<Record<string, unknown>>): readonly Readonly<Record<string, unknown>>[];
}

/** Rows as JSON texts joined by commas: a text, or its bytes; at least one. */
export type ExportPage = string | Uint8Array;

/** One collection of an export. `Checked` is what its schema makes of a row in a file, `Row` what is stored of that. */
export interface Collection<Checked = unknown, Row = Checked> {
  /** Its member in the file. */
  readonly name: string;
  /** What a row in a file may be: tolerant of what is missing, and strict about the rest. */
  readonly schema: z.ZodType<Checked>;
  /** Fields that a row may have; others are reported, not refused. */
  readonly fields: ReadonlySet<string>;
  /** Rows in the order of their keys, page by page. */
  pages(reading: Reading): AsyncIterable<ExportPage>;
  /** How many rows are stored at once, where it pays to see more together than of most. */
  readonly rowsAtOnce?: number;
  /** Stores rows: unknown ones, and known ones as the strategy says. */
  put(writing: Writing, rows: readonly Row[]): Promise<Written>;
  /** Deletes all rows with what hangs on them, and returns how many. Absent where rows are only ever added. */
  clear?(writing: Writing): Promise<number>;
  /** Set where a replace clears it only when all other rows are stored, which look at what was there before. */
  readonly clearedLast?: true;
  /** Puts in order what only the whole store tells, after all collections were written. */
  settle?(writing: Writing): Promise<void>;
  /** How many of the rows that `put` has written were taken out again when the whole was put in order. */
  takenOut?(writing: Writing): Promise<number>;
  readonly strays?: Strays;
  /** What is stored of a checked row, which is found without the store; absent where that is the row itself. */
  ready?(checked: Checked): Row;
}

/** Forgets the row's type, which only its own collection knows. */
export function collection<Checked, Row = Checked>(own: Collection<Checked, Row>): Collection {
  // What is handed to `put` is what the same collection's schema made.
  return own as unknown as Collection;
}

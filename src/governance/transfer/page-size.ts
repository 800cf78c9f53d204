import type { Settings } from "../../config/load.ts";

/**
 * How many rows are read at once where a file gives so many. A row may hold strings of 100,000 characters, and a
 * database server that was told nothing else answers with 10 MB at most.
 */
export function pageSize({ dbUrl }: Pick<Settings, "dbUrl">, ofFile: number): number {
  return dbUrl === undefined ? ofFile : Math.ceil(ofFile / 10);
}

/** What a page holds of long rows, in characters of its text. */
const wantedLength = 1_000_000;

/** Sizes for the pages of a collection that follow the length of its rows: fewer at once where they are long. */
export class PageSizes {
  readonly #mostRows: number;
  #rows: number;

  constructor(mostRows: number) {
    this.#mostRows = mostRows;
    this.#rows = mostRows;
  }

  /** How many rows the next page has. */
  readonly next = (): number => this.#rows;

  /** Notes how long the text of a page became. */
  note(rows: number, length: number): void {
    const wanted = Math.floor((rows * wantedLength) / length);
    this.#rows = Math.min(Math.max(wanted, 1), this.#mostRows);
  }
}

import type { Settings } from "../../config/load.ts";

/**
 * How many rows to read at once, given the number for a local file. A row may hold strings of 100,000
 * characters, and a database server limits its answers to 10 MB by default.
 */
export function pageSize({ dbUrl }: Pick<Settings, "dbUrl">, ofFile: number): number {
  return dbUrl === undefined ? ofFile : Math.ceil(ofFile / 10);
}

/** The wanted length of a page, in characters of its text. */
const wantedLength = 1_000_000;

/** Adapts the page size of a collection to the length of its rows: fewer at once where they are long. */
export class PageSizes {
  readonly #mostRows: number;
  #rows: number;

  constructor(mostRows: number) {
    this.#mostRows = mostRows;
    this.#rows = mostRows;
  }

  /** How many rows the next page should have. */
  readonly next = (): number => this.#rows;

  /** Reports how long the text of a page was. */
  note(rows: number, length: number): void {
    const wanted = Math.floor((rows * wantedLength) / length);
    this.#rows = Math.min(Math.max(wanted, 1), this.#mostRows);
  }
}

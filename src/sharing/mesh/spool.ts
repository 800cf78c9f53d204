import { TemporaryFile } from "../../governance/transfer/temporary-file.ts";

/*
 * Holds rows between the body that is being checked and the transactions that store them: a temporary file
 * for each kind, with one JSON text per line.
 */

const bufferCharacters = 250_000;
/** A batch of long rows, such as images, ends at this size even if it has room for more rows. */
const batchBytes = 4 * 1024 * 1024;
const newLine = 0x0a;

interface SpoolFile {
  written: TemporaryFile | undefined;
  lines: string[];
  characters: number;
}

export class Spool {
  readonly #folder: string;
  readonly #files = new Map<string, SpoolFile>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Adds a row; call flush() from time to time. */
  add(name: string, row: unknown): void {
    const file = this.#fileOf(name);
    const line = JSON.stringify(row);
    file.lines.push(line);
    file.characters += line.length;
  }

  /**
   * Writes buffered rows to disk: those of a file only when there are enough of them, or with `all` every one.
   */
  async flush(all = false): Promise<void> {
    for (const file of this.#files.values()) {
      if (file.lines.length === 0 || (!all && file.characters < bufferCharacters)) continue;
      const bytes = Buffer.from(`${file.lines.join("\n")}\n`);
      file.lines = [];
      file.characters = 0;
      file.written ??= await TemporaryFile.open(this.#folder);
      await file.written.append(bytes);
    }
  }

  /** The rows of a name in the order of adding, at most `size` at a time. Can be read more than once. */
  async *batches(name: string, size: number): AsyncGenerator<unknown[]> {
    await this.flush(true);
    const written = this.#files.get(name)?.written;
    if (written === undefined) return;
    let rest = Buffer.alloc(0);
    let batch: unknown[] = [];
    let gathered = 0;
    for await (const piece of written.pieces()) {
      const bytes = Buffer.concat([rest, piece]);
      let from = 0;
      for (let end = bytes.indexOf(newLine); end !== -1; end = bytes.indexOf(newLine, from)) {
        batch.push(JSON.parse(bytes.toString("utf8", from, end)));
        gathered += end - from;
        from = end + 1;
        if (batch.length < size && gathered < batchBytes) continue;
        yield batch;
        batch = [];
        gathered = 0;
      }
      rest = bytes.subarray(from);
    }
    if (batch.length > 0) yield batch;
  }

  async close(): Promise<void> {
    for (const { written } of this.#files.values()) await written?.close();
    this.#files.clear();
  }

  #fileOf(name: string): SpoolFile {
    const known = this.#files.get(name);
    if (known !== undefined) return known;
    const file = { written: undefined, lines: [], characters: 0 };
    this.#files.set(name, file);
    return file;
  }
}

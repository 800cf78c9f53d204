import { spawnSync } from "node:child_process";
import { closeSync, fdatasyncSync, fsyncSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "libsql";
import { makeCorpus } from "../corpus.ts";
import { ownEnvironment } from "./daemon.ts";
import { type Figure, median } from "./figures.ts";

const pageBytes = 4_096;
const scanBytes = 256 * 2 ** 20;
const storedRows = 4_000;
const rowsPerCommit = 20;

/** Times of the basic steps on this machine, such as flushing a file and starting Node: lower bounds for the rest. */
export function measureFloors(rounds: number): Figure[] {
  const everyRound = <T>(measure: () => T): T[] => Array.from({ length: rounds }, measure);
  const figure = (name: string, unit: Figure["unit"], values: number[]): Figure => ({
    section: "floor",
    name,
    unit,
    rounds: values,
  });
  return [
    figure("node -e 0", "ms", everyRound(nodeStartMs)),
    figure(
      "append 4 KiB and fdatasync",
      "ms",
      everyRound(() => flushMs(fdatasyncSync)),
    ),
    figure(
      "append 4 KiB and fsync",
      "ms",
      everyRound(() => flushMs(fsyncSync)),
    ),
    figure("memory scan on one core", "GiB/s", everyRound(scanGibPerSecond)),
    figure(`a row, its words and a vector, ${rowsPerCommit} a commit`, "per s", everyRound(rowsPerSecond)),
  ];
}

function nodeStartMs(): number {
  return median(
    Array.from({ length: 9 }, () => {
      const startedAt = performance.now();
      spawnSync(process.execPath, ["-e", "0"], { env: ownEnvironment() });
      return performance.now() - startedAt;
    }),
  );
}

function flushMs(flush: (file: number) => void): number {
  const folder = mkdtempSync(join(tmpdir(), "memsvc-floor-"));
  const file = openSync(join(folder, "log"), "a");
  const page = Buffer.alloc(pageBytes, 1);
  const times = Array.from({ length: 200 }, () => {
    const startedAt = performance.now();
    writeSync(file, page);
    flush(file);
    return performance.now() - startedAt;
  });
  closeSync(file);
  rmSync(folder, { recursive: true });
  return median(times);
}

function scanGibPerSecond(): number {
  const numbers = new Float64Array(scanBytes / Float64Array.BYTES_PER_ELEMENT).fill(1);
  const startedAt = performance.now();
  let sum = 0;
  for (let at = 0; at < numbers.length; at += 1) sum += numbers[at] ?? 0;
  const seconds = (performance.now() - startedAt) / 1_000;
  if (sum !== numbers.length) throw new Error("the scan did not read what was written");
  return scanBytes / 2 ** 30 / seconds;
}

/** How many rows per second SQLite alone stores, with the least that a searchable record needs. */
function rowsPerSecond(): number {
  const folder = mkdtempSync(join(tmpdir(), "memsvc-floor-"));
  const database = new Database(join(folder, "rows.db"));
  database.exec(
    `PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
    CREATE TABLE records (id INTEGER PRIMARY KEY, ref TEXT, body TEXT);
    CREATE TABLE vectors (id INTEGER PRIMARY KEY, vector BLOB);
    CREATE VIRTUAL TABLE words USING fts5(title, body, content = '', contentless_delete = 1);`,
  );
  const record = database.prepare("INSERT INTO records (id, ref, body) VALUES (?, ?, ?)");
  const vector = database.prepare("INSERT INTO vectors (id, vector) VALUES (?, ?)");
  const words = database.prepare("INSERT INTO words (rowid, title, body) VALUES (?, ?, ?)");
  const floats = Buffer.alloc(384 * Float32Array.BYTES_PER_ELEMENT, 1);
  const texts = Array.from(makeCorpus({ documents: storedRows, wordsPerDocument: 60 }).documents());
  const startedAt = performance.now();
  for (const [at, { title, body }] of texts.entries()) {
    if (at % rowsPerCommit === 0) database.exec("BEGIN IMMEDIATE");
    record.run([at, `record_${at}`, body]);
    vector.run([at, floats]);
    words.run([at, title, body]);
    if (at % rowsPerCommit === rowsPerCommit - 1) database.exec("COMMIT");
  }
  const seconds = (performance.now() - startedAt) / 1_000;
  database.close();
  rmSync(folder, { recursive: true });
  return storedRows / seconds;
}

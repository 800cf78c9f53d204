/*
 * The minimal service for the same requests, as a floor for the daemon: it parses each body, stores it as a row with
 * its words in SQLite, with one flushed commit for all waiting requests, and answers. No rules, no graph, no redaction.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "libsql";

const folder = mkdtempSync(join(tmpdir(), "memsvc-bare-"));
const database = new Database(join(folder, "rows.db"));
database.exec(
  `PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
  CREATE TABLE records (id INTEGER PRIMARY KEY, body TEXT);
  CREATE VIRTUAL TABLE words USING fts5(body, content = '', contentless_delete = 1);`,
);
const record = database.prepare("INSERT INTO records (body) VALUES (?)");
const words = database.prepare("INSERT INTO words (rowid, body) VALUES (?, ?)");

let waiting: { readonly body: string; readonly response: ServerResponse }[] = [];

function keepAll(): void {
  const taken = waiting;
  waiting = [];
  database.exec("BEGIN IMMEDIATE");
  for (const { body } of taken) words.run([record.run([body]).lastInsertRowid, body]);
  database.exec("COMMIT");
  for (const { response } of taken) {
    response.writeHead(201, { "content-type": "application/json" }).end('{"success":true}');
  }
}

const server = createServer((request, response) => {
  const pieces: Buffer[] = [];
  request.on("data", (piece: Buffer) => pieces.push(piece));
  request.on("end", () => {
    const body = JSON.stringify(JSON.parse(Buffer.concat(pieces).toString()));
    if (waiting.length === 0) setImmediate(keepAll);
    waiting.push({ body, response });
  });
});
server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));

process.once("disconnect", () => {
  server.close();
  server.closeAllConnections();
  database.close();
  rmSync(folder, { recursive: true });
});

import { readSync } from "node:fs";
import { JsonSplitter } from "../../json/json-splitter.ts";
import type { Member } from "./body-outline.ts";
import { collections } from "./collections.ts";
import { FileReader } from "./read-file.ts";
import type { Warnings } from "./warnings.ts";

/*
 * The checked rows of a file, in the order in which an import stores them. Each collection is read at its
 * place in the body, as if it were the only member of a body of its own.
 */

/** How many rows of most collections are stored at once: enough that the cost per batch does not matter. */
const usualRowsAtOnce = 250;
const readBytes = 128 * 1024;
/** A batch of long rows, such as images, ends at this size even if it has room for more rows. */
const batchBytes = 1024 * 1024;

/** A body in a file that this process has open, and where its members are. */
export interface KeptBody {
  readonly descriptor: number;
  readonly members: readonly Member[];
}

/** Rows of one collection, as its schema made them, that are stored together. */
export interface RowBatch {
  readonly name: string;
  readonly rows: readonly unknown[];
}

/** A part to read: the rows of one collection, from its own member or nested in another collection's. */
interface Part {
  readonly member: Member;
  readonly only: string;
}

/**
 * Reads a body in batches. Error: invalid_input at a fault, which is not necessarily the first one in the
 * body.
 */
export function* rowBatches({ descriptor, members }: KeptBody, warnings: Warnings): Generator<RowBatch> {
  const reported = new Set<string>();
  const buffer = Buffer.alloc(readBytes);
  for (const { member, only } of partsOf(members)) {
    const own = collections.find(({ name }) => name === only);
    const atOnce = own?.rowsAtOnce ?? usualRowsAtOnce;
    let rows: unknown[] = [];
    let bytes = 0;
    const take = (_name: string, row: unknown) => {
      rows.push(own?.ready?.(row) ?? row);
    };
    const reader = new FileReader(warnings, { only, take, reported });
    const splitter = new JsonSplitter(reader);
    splitter.push(Buffer.from(`{"exportData":{${JSON.stringify(member.name)}:`));
    for (let at = member.from; at < member.to; ) {
      const length = readSync(descriptor, buffer, 0, Math.min(readBytes, member.to - at), at);
      if (length === 0) throw new Error("the body of an import ends too early in its file");
      at += length;
      bytes += length;
      splitter.push(buffer.subarray(0, length));
      reader.refuseFaults();
      for (; rows.length >= atOnce; bytes = 0) yield { name: only, rows: rows.splice(0, atOnce) };
      if (bytes < batchBytes || rows.length === 0) continue;
      yield { name: only, rows };
      rows = [];
      bytes = 0;
    }
    splitter.push(Buffer.from("}}"));
    splitter.end();
    reader.refuseFaults();
    if (rows.length > 0) yield { name: only, rows };
  }
}

/**
 * The parts to read, in the order of storing. Members that are no collection are read too: they might not be
 * valid JSON.
 */
function* partsOf(members: readonly Member[]): Generator<Part> {
  const memberOf = (name: string) => members.filter((member) => member.name === name);
  for (const { name } of collections) {
    for (const { nested, name: carrier } of collections)
      if (nested?.collection === name) for (const member of memberOf(carrier)) yield { member, only: name };
    for (const member of memberOf(name)) yield { member, only: name };
  }
  for (const member of members)
    if (!collections.some(({ name }) => name === member.name)) yield { member, only: member.name };
}

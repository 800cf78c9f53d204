import * as z from "zod";
import { FileId, FileTime } from "../../governance/transfer/file-fields.ts";
import { splitBody } from "../../governance/transfer/split-body.ts";
import { isObject } from "../../json/is-object.ts";
import type { JsonPath } from "../../json/json-splitter.ts";
import { type MemoryOrigin, separateMark } from "../../knowledge/memories/memory-origin.ts";
import type { ByteStream } from "../../operation/define.ts";
import { type Issue, MemsvcError } from "../../operation/errors.ts";
import { timeText } from "../../operation/fields.ts";
import { issuesOf, maxIssues } from "../../operation/parse.ts";
import { withoutNulls } from "../../operation/without-nulls.ts";
import { cutCodePoints } from "../../text/code-points.ts";
import { redactText } from "../../text/redaction/redact.ts";
import { deletions } from "./deletions.ts";
import { exchangedTables } from "./exchanged-tables.ts";
import type { MeshScope } from "./scope-names.ts";
import type { Spool } from "./spool.ts";

const longestSender = 200;

type Row = Readonly<Record<string, unknown>>;

export const TombstoneRow = z.object({
  kind: z.enum([...deletions.keys()], `must be one of ${[...deletions.keys()].join(", ")}`),
  id: FileId,
  deletedAt: FileTime,
  /** Whether the record was dropped there because it was not used, and not deleted by somebody. */
  faded: z.boolean().default(false),
});
export type TombstoneRow = z.output<typeof TombstoneRow>;

/** The name of the spool file for tombstones of a kind. */
export function tombstonesOf(kind: string): string {
  return `tombstones of ${kind}`;
}

const schemas: ReadonlyMap<string, z.ZodType> = new Map<string, z.ZodType>([
  ...exchangedTables.map((one): [string, z.ZodType] => [one.array, one.collection.schema]),
  ["tombstones", TombstoneRow],
]);

/** Collects faulty rows, which are left out without stopping the others. */
export class Faults {
  readonly issues: Issue[] = [];
  count = 0;

  add(path: string, issues: readonly Issue[]): void {
    this.count += 1;
    for (const { path: below, message } of issues) {
      if (this.issues.length >= maxIssues) return;
      this.issues.push({ path: below === "" ? path : `${path}.${below}`, message });
    }
  }
}

/** What the body of an exchange says besides its rows. */
export interface Sending {
  /** Whether the body has a member that a memsvc sends, if only an empty array. */
  readonly isOfMesh: boolean;
  /** The name that the sender gives itself. */
  readonly from: string | undefined;
  /** The `since` for the next exchange, by the sender's clock; undefined where the body names none. */
  readonly exportedAt: number | undefined;
  /** The position of the rows that were not sent; undefined when there are none. */
  readonly next: string | undefined;
}

interface ReadingOptions {
  readonly maxBytes: number;
  readonly now: number;
  /** Rows of other scopes are refused: a peer sends only what it was asked for. */
  readonly scopes: readonly MeshScope[];
}

/**
 * Checks rows as they arrive and adds valid ones to the spool, by array; invalid ones become faults. Errors:
 * invalid_input for a body that is no such object; too_large.
 */
export async function readRows(
  body: ByteStream,
  spool: Spool,
  faults: Faults,
  options: ReadingOptions,
): Promise<Sending> {
  const reader = new RowReader(spool, faults, options);
  await splitBody(body, reader, () => spool.flush(), { maxBytes: options.maxBytes, tooLarge });
  return reader.sending;
}

class RowReader {
  readonly #spool: Spool;
  readonly #faults: Faults;
  readonly #now: number;
  readonly #wanted: ReadonlySet<string>;
  #from: string | undefined;
  #exportedAt: number | undefined;
  #next: string | undefined;
  #isOfMesh = false;

  constructor(spool: Spool, faults: Faults, { now, scopes }: ReadingOptions) {
    this.#spool = spool;
    this.#faults = faults;
    this.#now = now;
    this.#wanted = new Set(
      exchangedTables.flatMap(({ scope, array, kind }) => (scopes.includes(scope) ? [array, kind] : [])),
    );
  }

  get sending(): Sending {
    return { isOfMesh: this.#isOfMesh, from: this.#from, exportedAt: this.#exportedAt, next: this.#next };
  }

  descends(path: JsonPath, kind: "object" | "array"): boolean {
    // Unknown arrays too are read row by row: as one value an array might be too large for memory.
    return path.length === 0 ? kind === "object" : path.length === 1 && kind === "array";
  }

  opened([array]: JsonPath): void {
    if (schemas.has(String(array))) this.#isOfMesh = true;
  }

  value(path: JsonPath, value: unknown): void {
    const [array] = path;
    if (array === undefined) throw notRows("", "must be an object");
    if (path.length === 2) this.#row(String(array), path.join("."), value);
    else if (schemas.has(String(array)) && value !== null) throw notRows(String(array), "must be an array");
    else if (array === "from" && typeof value === "string")
      this.#from = cutCodePoints(redactText(value).trim(), longestSender) || undefined;
    else if (array === "next" && typeof value === "string") this.#next = value;
    else if (array === "exportedAt") {
      this.#exportedAt = FileTime.safeParse(value).data;
      this.#isOfMesh = true;
    }
  }

  #row(array: string, path: string, value: unknown): void {
    const schema = schemas.get(array);
    if (schema === undefined) return;
    if (!isObject(value)) {
      this.#faults.add(path, [{ path: "", message: "must be an object" }]);
      return;
    }
    const given = this.#asReceived(array, withoutNulls(schema, value) as Row);
    const checked = schema.safeParse(given);
    if (!checked.success) this.#faults.add(path, issuesOf(checked.error, given));
    else if (array === "tombstones") this.#tombstone(path, checked.data as TombstoneRow);
    else if (this.#wanted.has(array)) this.#spool.add(array, checked.data);
    else this.#faults.add(path, [{ path: "", message: "was not asked for" }]);
  }

  #tombstone(path: string, row: TombstoneRow): void {
    if (this.#wanted.has(row.kind)) this.#spool.add(tombstonesOf(row.kind), row);
    else this.#faults.add(path, [{ path: "", message: "was not asked for" }]);
  }

  /**
   * The row as this store keeps it: marked with its origin, and without the sender's project key, because the
   * row belongs to the project of the same name here.
   */
  #asReceived(array: string, { projectKey: _theirs, ...row }: Record<string, unknown>): Row {
    if (array === "memories") return { ...row, origin: this.#originOf(row) };
    return array.startsWith("graph") ? { ...row, origin: "mesh" } : row;
  }

  #originOf({ origin }: Record<string, unknown>): MemoryOrigin {
    return { channel: "shared", capturedAt: timeText(this.#now), ...separateMark(origin) };
  }
}

function tooLarge(maxBytes: number): MemsvcError {
  return new MemsvcError("too_large", `the rows take more than ${maxBytes} bytes`, {
    hint: "exchange fewer scopes at once, or raise MEMSVC_MAX_IMPORT_BYTES",
  });
}

function notRows(path: string, message: string): MemsvcError {
  return new MemsvcError("invalid_input", `${path === "" ? "the body" : path} ${message}`, {
    issues: [{ path, message }],
  });
}

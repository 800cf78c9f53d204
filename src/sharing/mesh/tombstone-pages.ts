import { fadedMemory, tombstoneKinds } from "../../governance/retention/tombstones.ts";
import { timeText } from "../../operation/fields.ts";
import type { Sql, SqlValue } from "../../store/sql.ts";
import { arrivedSince } from "./arrivals.ts";
import type { Cursor } from "./cursor.ts";
import type { ExchangedTable } from "./exchanged-tables.ts";
import type { Part } from "./part.ts";

const tombstonesPerPage = 1_000;

interface StoredTombstone {
  readonly kind: string;
  readonly id: string;
  readonly deletedAt: number;
}

function tombstoneRecord({ kind, id, deletedAt }: StoredTombstone) {
  const isFaded = kind === fadedMemory;
  const record = { kind: isFaded ? "memory" : kind, id, deletedAt: timeText(deletedAt) };
  return isFaded ? { ...record, faded: true } : record;
}

/**
 * The tombstones of the wanted tables in pages, by kind and id. `args`: the time since which, the keys of the project,
 * and the peer, each null where there is none.
 */
export async function* tombstonePages(
  sql: Sql,
  {
    wanted,
    args,
    notBefore,
    after: [lastKind = "", lastId = ""] = [],
  }: {
    readonly wanted: readonly ExchangedTable[];
    readonly args: readonly SqlValue[];
    readonly notBefore: number;
    readonly after: Cursor["key"] | undefined;
  },
): AsyncGenerator<NonNullable<Part["rows"]>> {
  const kinds = JSON.stringify(wanted.flatMap(({ kind }) => tombstoneKinds(kind)));
  let last = [lastKind, lastId];
  for (;;) {
    const rows = await sql.all<StoredTombstone>(
      `SELECT kind, id, deleted_at AS deletedAt FROM tombstones
       WHERE (kind, id) > (?5, ?6) AND kind IN (SELECT value FROM json_each(?4)) AND deleted_at >= ?7
         AND (?2 IS NULL OR project_key IN (SELECT value FROM json_each(?2)))
         AND (?1 IS NULL OR deleted_at >= ?1 OR kind || ' ' || id IN ${arrivedSince("tombstone")})
       ORDER BY kind, id LIMIT ${tombstonesPerPage}`,
      [...args, kinds, ...last, notBefore],
    );
    const end = rows.at(-1);
    if (end === undefined) return;
    const key = [end.kind, end.id];
    last = key;
    yield {
      page: rows.map((row) => JSON.stringify(tombstoneRecord(row))).join(","),
      end: async () => ({ array: "tombstones", key }),
      mayBeLast: true,
    };
  }
}

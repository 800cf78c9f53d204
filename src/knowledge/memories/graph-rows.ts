import type { AttachedRow } from "../../graph/structural/attach.ts";
import { textsIn } from "../../store/json-columns.ts";
import type { Sql } from "../../store/sql.ts";

interface StoredTraits {
  readonly ref: string;
  readonly agentId: string | null;
  readonly project: string | null;
  readonly projectKey: string | null;
  readonly files: string;
  readonly concepts: string;
}

/**
 * The memories after an id (all versions, ordered by id) in the form that the graph takes, and the last id to
 * continue from.
 */
export async function graphRowsAfter(
  sql: Sql,
  id: string,
  limit: number,
): Promise<{ rows: AttachedRow[]; last: string | undefined }> {
  const stored = await sql.all<StoredTraits>(`${traits} WHERE id > ? ORDER BY id LIMIT ?`, [id, limit]);
  return { rows: stored.map(attachedRow), last: stored.at(-1)?.ref };
}

/** Memories by id, in the form that the graph takes. */
export async function graphRowsOf(sql: Sql, ids: readonly string[]): Promise<AttachedRow[]> {
  const stored = await sql.all<StoredTraits>(
    `${traits} WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id`,
    [JSON.stringify(ids)],
  );
  return stored.map(attachedRow);
}

const traits =
  "SELECT id AS ref, agent_id AS agentId, project, project_key AS projectKey, files, concepts FROM memories";

function attachedRow({ files, concepts, ...row }: StoredTraits): AttachedRow {
  return {
    ...row,
    kind: "memory",
    files: textsIn(files),
    concepts: textsIn(concepts),
    facts: [],
    libraries: [],
  };
}

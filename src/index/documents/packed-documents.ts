import type { Sql, SqlValue } from "../../store/sql.ts";
import type { Scoped } from "../scope.ts";
import { type ForwardIndex, openForward } from "../words/forward.ts";

/** What ranking reads of a document beside its words. */
export interface DocumentRow extends Scoped {
  readonly id: number;
  readonly type: string;
  readonly ref: string;
  readonly sessionId: string | null;
  /** 0 to 1. */
  readonly importance: number;
  readonly document: ForwardIndex;
}

/** What of a row is not always asked for; null where it is not. */
interface AskedFields {
  readonly project: boolean;
  readonly agent: boolean;
}

/** Documents by row of the index, in the order asked for; deleted ones are left out. */
export function readDocuments(sql: Sql, ids: readonly number[], asked: AskedFields): Promise<DocumentRow[]> {
  return readPacked(sql, selectGiven, [JSON.stringify(ids)], asked);
}

/** The next documents after a row of the index, in the order of their rows. */
export function readDocumentsAfter(sql: Sql, id: number, limit: number): Promise<DocumentRow[]> {
  return readPacked(sql, selectFollowing, [id, limit], { project: true, agent: true });
}

/**
 * All rows as one: their fields as JSON and their forward indexes one behind another. Hundreds of rows with a blob each
 * would take the driver three times as long. Blobs become text by being joined and bytes again by the cast, which
 * changes none of them.
 */
const packed = `SELECT json_group_array(json_array(documents.id, kind, documents.type, ref, session_id, created_at,
    hidden_after, importance, CASE WHEN ?1 THEN project_key END, CASE WHEN ?2 THEN agent_id END, length(forward))),
  CAST(group_concat(forward, '') AS BLOB)`;

const selectGiven = `${packed}
  FROM json_each(?3) AS asked CROSS JOIN documents ON documents.id = asked.value`;

const selectFollowing = `${packed} FROM (
    SELECT id, kind, type, ref, session_id, created_at, hidden_after, importance, project_key, agent_id, forward
    FROM documents WHERE id > ?3 ORDER BY id LIMIT ?4
  ) AS documents`;

async function readPacked(
  sql: Sql,
  select: string,
  args: readonly SqlValue[],
  { project, agent }: AskedFields,
): Promise<DocumentRow[]> {
  const [[rows, forwards] = []] = await sql.values(select, [project ? 1 : 0, agent ? 1 : 0, ...args]);
  return rowsOf(String(rows), bytesOf(forwards));
}

/** Some drivers give a blob as an ArrayBuffer. */
function bytesOf(blob: unknown): Uint8Array {
  if (blob instanceof Uint8Array) return blob;
  return blob instanceof ArrayBuffer ? new Uint8Array(blob) : new Uint8Array();
}

/** What `packed` says of each row, in the order in which it says it. */
type PackedFields = readonly [
  id: number,
  kind: string,
  type: string,
  ref: string,
  sessionId: string | null,
  createdAt: number,
  hiddenAfter: number | null,
  importance: number,
  projectKey: string | null,
  agentId: string | null,
  forwardBytes: number,
];

function rowsOf(json: string, forwards: Uint8Array): DocumentRow[] {
  // The statement above makes these arrays, from columns of these types.
  const rows = JSON.parse(json) as PackedFields[];
  const documents: DocumentRow[] = [];
  let end = 0;
  for (const row of rows) {
    const [id, kind, type, ref, sessionId, createdAt, hiddenAfter, importance, projectKey, agentId, bytes] =
      row;
    const document = openForward(forwards.subarray(end, end + bytes));
    end += bytes;
    documents.push({
      id,
      kind,
      type,
      ref,
      sessionId,
      createdAt,
      hiddenAfter,
      importance,
      projectKey,
      agentId,
      document,
    });
  }
  return documents;
}

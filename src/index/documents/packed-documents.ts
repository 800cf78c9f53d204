import type { Sql, SqlValue } from "../../store/sql.ts";
import type { Scoped } from "../scope.ts";
import { type ForwardIndex, openForward } from "../words/forward.ts";

/** The fields of a document that ranking reads, with its forward index. */
export interface DocumentRow extends Scoped {
  readonly id: number;
  readonly type: string;
  readonly ref: string;
  readonly sessionId: string | null;
  /** 0 to 1. */
  readonly importance: number;
  readonly document: ForwardIndex;
}

/** Which optional fields to read; a field that is not read is null. */
interface AskedFields {
  readonly project: boolean;
  readonly agent: boolean;
}

/** Documents with these ids, in their order; deleted ones are left out. */
export function readDocuments(sql: Sql, ids: readonly number[], asked: AskedFields): Promise<DocumentRow[]> {
  return readPacked(sql, selectGiven, [JSON.stringify(ids)], asked);
}

/** The first `limit` documents with ids greater than `id`, in the order of their ids. */
export function readDocumentsAfter(sql: Sql, id: number, limit: number): Promise<DocumentRow[]> {
  return readPacked(sql, selectFollowing, [id, limit], { project: true, agent: true });
}

/**
 * Selects all documents as one row: their fields as JSON and their forward indexes concatenated. Hundreds of rows with
 * a blob each would take the driver three times as long. group_concat turns the blobs into text and the cast back into
 * blobs; no byte changes.
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

/** Some drivers return a blob as an ArrayBuffer. */
function bytesOf(blob: unknown): Uint8Array {
  if (blob instanceof Uint8Array) return blob;
  return blob instanceof ArrayBuffer ? new Uint8Array(blob) : new Uint8Array();
}

/** The fields that `packed` selects of each document, in the same order. */
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
  // The statement above makes these arrays, from columns of these types; so the assertion holds.
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

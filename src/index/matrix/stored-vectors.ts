import type { Sql } from "../../store/sql.ts";
import { vectorOf } from "../vectors/vectors.ts";
import type { RowFields } from "./matrix.ts";

export interface StoredVector extends RowFields {
  readonly chunk: number;
  readonly vector: Float32Array;
}

/** The first `limit` vectors of a model after a given one, ordered by document and chunk. */
export async function vectorsAfter(
  sql: Sql,
  fingerprint: string,
  after: { readonly documentId: number; readonly chunk: number },
  limit: number,
): Promise<StoredVector[]> {
  const rows = await sql.all<VectorRow>(
    `SELECT ${columns} FROM document_vectors CROSS JOIN documents ON documents.id = document_id
     WHERE (document_id, chunk) > (?, ?) AND fingerprint = ? ORDER BY document_id, chunk LIMIT ?`,
    [after.documentId, after.chunk, fingerprint, limit],
  );
  return rows.map((row) => ({ ...row, vector: vectorOf(row.vector) }));
}

/** All vectors of a model that belong to some documents. */
export async function vectorsOf(
  sql: Sql,
  fingerprint: string,
  documentIds: readonly number[],
): Promise<StoredVector[]> {
  const rows = await sql.all<VectorRow>(
    `SELECT ${columns} FROM json_each(?) AS changed
       CROSS JOIN document_vectors ON document_id = changed.value
       CROSS JOIN documents ON documents.id = document_id
     WHERE fingerprint = ?`,
    [JSON.stringify(documentIds), fingerprint],
  );
  return rows.map((row) => ({ ...row, vector: vectorOf(row.vector) }));
}

const columns = `document_id AS documentId, chunk, vector, kind, project_key AS projectKey,
  agent_id AS agentId, created_at AS createdAt, hidden_after AS hiddenAfter`;

type VectorRow = Omit<StoredVector, "vector"> & { vector: Uint8Array | ArrayBuffer };

import { setTimeout as pause } from "node:timers/promises";
import type { Ground } from "../../ground.ts";
import { enqueue } from "../../jobs/jobs.ts";
import type { JobHandler } from "../../jobs/worker.ts";
import { textsIn } from "../../store/json-columns.ts";
import { firstNumber, hasRow, type Sql } from "../../store/sql.ts";
import type { Transaction } from "../../store/store.ts";
import { tokenVersion } from "../../text/tokens.ts";
import { type DocumentInput, putDocument } from "./documents.ts";

const reindexJobKind = "index.reindex";

/** So few that other writers wait no longer than some hundredths of a second. */
const rowsPerWrite = 50;

const gentleJobKind = "index.renewal";
const gentleRowsPerWrite = 10;
/** A restore and the daemon's end wait for the running job, and other slow jobs want their turn. */
const gentleSliceMs = 2_000;

const selectOutdated = `SELECT id FROM documents WHERE token_version < ?1 UNION ALL
  SELECT id FROM documents WHERE token_version > ?1`;

/** The number of documents whose tokens were made by another version of the rules. */
export function countOutdated(sql: Sql): Promise<number> {
  return firstNumber(
    sql,
    "SELECT (SELECT count(*) FROM documents) - (SELECT count(*) FROM documents WHERE token_version = ?)",
    [tokenVersion],
  );
}

/** Enqueues the job that indexes outdated documents again. */
export async function enqueueReindex(tx: Transaction, ground: Ground): Promise<void> {
  await enqueue(tx, ground, { kind: reindexJobKind, key: "documents" });
}

/**
 * Indexes outdated documents again, in batches. Each batch is committed, so an interrupted run can just be repeated.
 */
export function reindexHandler(ground: Ground): JobHandler {
  return {
    kind: reindexJobKind,
    isSlow: true,
    run: async () => {
      while (await ground.store.write(({ sql }) => reindexSome(sql, rowsPerWrite)));
    },
  };
}

/** Has the daemon index outdated documents again beside its other work, as after an update of the program. */
export async function reindexGently(ground: Ground): Promise<void> {
  if (!(await hasRow(ground.store.read.sql, `${selectOutdated} LIMIT 1`, [tokenVersion]))) return;
  await ground.store.write((tx) => enqueue(tx, ground, { kind: gentleJobKind, key: "documents" }));
}

/** The same in short slices, each of which queues the next, and half of the time at rest: searches go on meanwhile. */
export function gentleReindexHandler(ground: Ground): JobHandler {
  const { monotonic, store } = ground;
  return {
    kind: gentleJobKind,
    isSlow: true,
    onlyInDaemon: true,
    run: async () => {
      const until = monotonic() + gentleSliceMs;
      for (let startedAt = monotonic(); startedAt < until; startedAt = monotonic()) {
        if (!(await store.write(({ sql }) => reindexSome(sql, gentleRowsPerWrite)))) return;
        await pause(monotonic() - startedAt);
      }
      await reindexGently(ground);
    },
  };
}

/** Indexes a batch; returns false if there was no outdated document left. */
async function reindexSome(sql: Sql, most: number): Promise<boolean> {
  const rows = await sql.all<StoredDocument>(
    `SELECT kind, ref, project_key AS projectKey, agent_id AS agentId, session_id AS sessionId,
       created_at AS createdAt, updated_at AS updatedAt, hidden_after AS hiddenAfter, importance, type, project, title,
       concepts, files, body FROM documents
     WHERE id IN (${selectOutdated} LIMIT ?2)`,
    [tokenVersion, most],
  );
  for (const row of rows)
    await putDocument(sql, { ...row, concepts: textsIn(row.concepts), files: textsIn(row.files) });
  return rows.length > 0;
}

interface StoredDocument extends Omit<DocumentInput, "concepts" | "files"> {
  /** JSON, like `files`. */
  readonly concepts: string;
  readonly files: string;
}

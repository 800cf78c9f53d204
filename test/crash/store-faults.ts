import Database from "libsql";
import type { Ledger } from "./ledger.ts";

/*
 * Invariants of a store's file after any crash: there is no record without the rows that are written with it, and none
 * of these rows without its record.
 */

interface Rule {
  readonly promise: string;
  /** SQL that selects the rows that break the promise. */
  readonly broken: string;
}

const rules: readonly Rule[] = [
  {
    promise: "an observation has its raw event",
    broken: "SELECT id FROM observations WHERE id NOT IN (SELECT observation_id FROM raw_events)",
  },
  {
    promise: "a raw event has its observation",
    broken:
      "SELECT observation_id AS id FROM raw_events WHERE observation_id NOT IN (SELECT id FROM observations)",
  },
  {
    promise: "an observation has its document",
    broken:
      "SELECT id FROM observations WHERE id NOT IN (SELECT ref FROM documents WHERE kind = 'observation')",
  },
  {
    promise: "a latest memory has its document",
    broken:
      "SELECT id FROM memories WHERE is_latest = 1 AND id NOT IN (SELECT ref FROM documents WHERE kind = 'memory')",
  },
  {
    promise: "a document has its record",
    broken: `SELECT ref AS id FROM documents WHERE kind IN ('observation', 'memory')
      AND ref NOT IN (SELECT id FROM observations UNION ALL SELECT id FROM memories)`,
  },
  {
    promise: "a document is in the keyword index",
    broken: "SELECT id FROM documents WHERE id NOT IN (SELECT id FROM documents_fts_docsize)",
  },
  {
    promise: "what is in the keyword index is a document",
    broken: "SELECT id FROM documents_fts_docsize WHERE id NOT IN (SELECT id FROM documents)",
  },
  {
    promise: "a session counts its observations",
    broken: `SELECT id FROM sessions WHERE observation_count <>
      (SELECT count(*) FROM observations WHERE session_id = sessions.id)`,
  },
  {
    promise: "an observation has its session",
    broken: "SELECT id FROM observations WHERE session_id NOT IN (SELECT id FROM sessions)",
  },
  {
    promise: "a memory has its audit entry",
    broken: `SELECT id FROM memories WHERE id NOT IN
      (SELECT target.value FROM audit_entries, json_each(target_ids) AS target WHERE operation IN ('remember', 'evolve'))`,
  },
  {
    promise: "a remembering that was audited has its memory, or that memory was deleted",
    broken: `SELECT target.value AS id FROM audit_entries, json_each(target_ids) AS target
      WHERE operation = 'remember' AND target.value NOT IN (SELECT id FROM memories UNION ALL SELECT id FROM tombstones)`,
  },
  {
    promise: "a record has its place in the graph, or waits for it",
    broken: `SELECT id FROM (SELECT id, 'observation' AS kind FROM observations UNION ALL SELECT id, 'memory' FROM memories)
      WHERE (id, kind) NOT IN (SELECT ref, kind FROM graph_sources WHERE structural = 1)
        AND (id, kind) NOT IN (SELECT ref, kind FROM graph_pending)
        AND NOT EXISTS (SELECT 1 FROM jobs WHERE kind = 'graph.backfill' AND status IN ('queued', 'running'))`,
  },
  {
    promise: "a place in the graph, taken or waited for, has its record",
    broken: `SELECT ref AS id FROM (SELECT ref FROM graph_sources UNION ALL SELECT ref FROM graph_pending)
      WHERE ref NOT IN (SELECT id FROM observations UNION ALL SELECT id FROM memories)`,
  },
  {
    promise: "an event is stored once",
    broken: "SELECT content_hash AS id FROM observations GROUP BY content_hash HAVING count(*) > 1",
  },
  {
    promise: "two jobs that wait are not the same work",
    broken:
      "SELECT kind || ' ' || key AS id FROM jobs WHERE status = 'queued' GROUP BY kind, key HAVING count(*) > 1",
  },
  {
    promise: "a running job has a claim that ends",
    broken: "SELECT id FROM jobs WHERE status = 'running' AND (claimed_by IS NULL OR claimed_until IS NULL)",
  },
  {
    promise: "a job does not fail",
    broken: "SELECT id FROM jobs WHERE status = 'failed'",
  },
];

/** Checks the file of a store against these rules and the ledger. Returns what is wrong. */
export function storeFaults(path: string, ledger: Ledger): string[] {
  const database = new Database(path, { timeout: 10_000 });
  try {
    const broken = rules.flatMap((rule) =>
      (database.prepare(rule.broken).all([]) as { id: unknown }[]).map(({ id }) => `${rule.promise}: ${id}`),
    );
    return [...broken, ...lostWork(database, ledger), ...unsound(database)];
  } finally {
    database.close();
  }
}

/** Sessions whose end was acknowledged and that have neither a summary nor the job that makes it. */
function lostWork(database: InstanceType<typeof Database>, { endedSessions }: Ledger): string[] {
  const cared = database
    .prepare(
      `SELECT key AS id FROM jobs WHERE kind = 'session.stop' AND status IN ('queued', 'running')
       UNION SELECT session_id FROM session_summaries`,
    )
    .all([]) as { id: string }[];
  const ids = new Set(cared.map(({ id }) => id));
  return [...endedSessions].filter((id) => !ids.has(id)).map((id) => `the work after session ${id} is lost`);
}

function unsound(database: InstanceType<typeof Database>): string[] {
  const lines = database.prepare("PRAGMA integrity_check").all([]) as { integrity_check: string }[];
  const faults = lines.map(({ integrity_check }) => integrity_check).filter((line) => line !== "ok");
  try {
    database.exec("INSERT INTO documents_fts (documents_fts) VALUES ('integrity-check')");
  } catch (error) {
    faults.push(`the keyword index: ${String(error)}`);
  }
  return faults;
}

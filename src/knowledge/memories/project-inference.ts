import { inArray } from "drizzle-orm";
import { detachRows } from "../../graph/storage/detach.ts";
import { attachSoon } from "../../graph/structural/pending.ts";
import type { Ground } from "../../ground.ts";
import { putDocument } from "../../index/documents/documents.ts";
import { changedAtSql } from "../../store/changed-at.ts";
import { chunksOf } from "../../store/chunks.ts";
import type { Connection, Transaction } from "../../store/store.ts";
import { memoryDocument } from "./document.ts";
import { latestTextsOf } from "./duplicates/latest-texts.ts";
import { graphRowsOf } from "./graph-rows.ts";
import { memories } from "./tables.ts";

/** A memory without a project, and the single project of its source observations' sessions. */
interface Inferred {
  readonly id: string;
  readonly project: string;
  readonly projectKey: string;
}

interface ProjectInference {
  readonly inferred: readonly Inferred[];
  /** Number of memories without a project that have no stored source. */
  readonly skipped: number;
  /** Number of memories without a project whose sources belong to several. */
  readonly ambiguous: number;
}

interface SourceRow {
  readonly id: string;
  /** How many projects the sources belong to. */
  readonly projects: number;
  readonly project: string | null;
  readonly projectKey: string | null;
}

/** Infers the projects of memories without one from their sources. Reads only. */
export async function inferProjects({ sql }: Connection): Promise<ProjectInference> {
  const rows = await sql.all<SourceRow>(
    `SELECT memories.id AS id, count(DISTINCT sessions.project_key) AS projects,
       max(sessions.project) AS project, max(sessions.project_key) AS projectKey
     FROM memories
       LEFT JOIN json_each(memories.source_observation_ids) AS source
       LEFT JOIN observations ON observations.id = source.value
       LEFT JOIN sessions ON sessions.id = observations.session_id
     WHERE memories.project_key IS NULL GROUP BY memories.id ORDER BY memories.id`,
  );
  return {
    inferred: rows.flatMap(({ id, projects, project, projectKey }) =>
      projects === 1 && project !== null && projectKey !== null ? [{ id, project, projectKey }] : [],
    ),
    skipped: rows.filter(({ projects }) => projects === 0).length,
    ambiguous: rows.filter(({ projects }) => projects > 1).length,
  };
}

/** Assigns the inferred projects to the memories, also in the index and the graph. */
export async function assignProjects(
  tx: Transaction,
  ground: Ground,
  inferred: readonly Inferred[],
): Promise<void> {
  const ids = inferred.map(({ id }) => id);
  const list = JSON.stringify(inferred);
  await tx.sql.run(
    `UPDATE memories SET project = json_extract(given.value, '$.project'),
       project_key = json_extract(given.value, '$.projectKey'), updated_at = ${changedAtSql("?2")}
     FROM json_each(?1) AS given WHERE memories.id = json_extract(given.value, '$.id')`,
    [list, ground.now()],
  );
  latestTextsOf(ground.store).clear();
  // Graph nodes belong to a project, so the memories are detached from theirs and attached again.
  await detachRows(tx.sql, "memory", ids);
  for (const some of chunksOf(ids, idsPerRead)) {
    const rows = await tx.orm.select().from(memories).where(inArray(memories.id, some));
    for (const row of rows.filter(({ isLatest }) => isLatest)) await putDocument(tx.sql, memoryDocument(row));
    for (const row of await graphRowsOf(tx.sql, some)) attachSoon(tx, { ground, row });
  }
}

const idsPerRead = 500;

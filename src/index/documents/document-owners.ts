import { textsIn } from "../../store/json-columns.ts";
import type { Sql } from "../../store/sql.ts";

/** A project and an agent that have documents. */
interface DocumentProject {
  /** Null: documents without a project. */
  readonly projectKey: string | null;
  readonly project: string | null;
  readonly agentId: string | null;
}

/** Every combination of project and agent that has documents of these kinds, those with the most documents first. */
export async function documentProjects(sql: Sql, kinds: readonly string[]): Promise<DocumentProject[]> {
  return sql.all<DocumentProject>(
    `SELECT project_key AS projectKey, max(project) AS project, agent_id AS agentId FROM documents
     WHERE kind IN (SELECT value FROM json_each(?)) GROUP BY project_key, agent_id
     ORDER BY count(*) DESC, project_key, agent_id`,
    [JSON.stringify(kinds)],
  );
}

interface Owner {
  readonly projectKey: string | null;
  readonly agent: { readonly agentId: string; readonly includeOrphans: boolean } | undefined;
}

/** The texts of a document, with its kind and the id of its record. */
interface KnownText {
  readonly kind: string;
  readonly ref: string;
  readonly title: string;
  readonly body: string;
  readonly concepts: readonly string[];
  readonly createdAt: number;
}

/**
 * The most recently changed documents of some kinds, of one project (null: without a project) and, if an agent is
 * given, of that agent.
 */
export async function documentTexts(
  sql: Sql,
  kinds: readonly string[],
  { projectKey, agent }: Owner,
  { now, limit }: { readonly now: number; readonly limit: number },
): Promise<KnownText[]> {
  const rows = await sql.all<Omit<KnownText, "concepts"> & { readonly concepts: string }>(
    `SELECT kind, ref, title, body, concepts, created_at AS createdAt FROM documents
     WHERE kind IN (SELECT value FROM json_each(?1)) AND project_key IS ?2
       AND (?3 IS NULL OR agent_id = ?3 OR (?4 = 1 AND agent_id IS NULL))
       AND (hidden_after IS NULL OR hidden_after > ?5)
     ORDER BY updated_at DESC, id DESC LIMIT ?6`,
    [
      JSON.stringify(kinds),
      projectKey,
      agent?.agentId ?? null,
      agent?.includeOrphans === true ? 1 : 0,
      now,
      limit,
    ],
  );
  return rows.map((row) => ({ ...row, concepts: textsIn(row.concepts) }));
}

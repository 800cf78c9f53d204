import { type AgentFilter, agentClause } from "../../capture/sessions/agent-scope.ts";
import { textsIn } from "../../store/json-columns.ts";
import { firstColumn, type Sql, type SqlValue } from "../../store/sql.ts";
import { isFindingSql } from "../findings/finding-mark.ts";
import { liveSql } from "./live-sql.ts";
import type { MemoryType } from "./record.ts";
import { type StrengthCurve, strengthSql } from "./strength/strength.ts";
import { applyPresentTitles, fullTitles } from "./titles/present-titles.ts";

/*
 * Light rows of the memories that may be recalled: live latest versions. Only the newest of each project key
 * are read, by the index on key and time, so that a large project costs no more.
 */

const newestPerKey = 5_000;

interface RecallScope {
  /** Project keys; null stands for memories without a project. */
  readonly keys: readonly (string | null)[];
  readonly filter: AgentFilter;
  readonly now: number;
}

export interface RecallCandidate extends StrengthCurve {
  readonly id: string;
  readonly hasProject: boolean;
  /** Whether rules made it of what an agent found out. */
  readonly isFinding: boolean;
  readonly files: readonly string[];
  readonly createdAt: number;
  readonly lastRecalledAt: number | null;
}

type CandidateRow = Omit<RecallCandidate, "hasProject" | "isFinding" | "files"> & {
  hasProject: number;
  isFinding: number;
  files: string;
};

/** The fields that ranking needs, of every memory in the scope. */
export async function recallCandidates(sql: Sql, scope: RecallScope): Promise<RecallCandidate[]> {
  const newest = newestInScope(scope);
  const rows = await sql.all<CandidateRow>(
    `${newest.text} SELECT id, project_key IS NOT NULL AS hasProject, ${isFindingSql} AS isFinding, files, created_at AS createdAt,
       last_recalled_at AS lastRecalledAt, strength_anchor AS strengthAnchor,
       strength_anchor_at AS strengthAnchorAt, stability_days AS stabilityDays FROM newest`,
    newest.args,
  );
  return rows.map((row) => ({
    ...row,
    hasProject: row.hasProject === 1,
    isFinding: row.isFinding === 1,
    files: textsIn(row.files),
  }));
}

/** Titles of the strongest preferences and patterns, strongest first. */
export async function strongestHabits(sql: Sql, scope: RecallScope, limit: number): Promise<string[]> {
  const newest = newestInScope(scope, " AND type IN ('preference', 'pattern')");
  const strongest = `${newest.text} SELECT id FROM newest ${strongestFirst} LIMIT ?`;
  const ids = await firstColumn(sql, strongest, [...newest.args, scope.now, limit]);
  const titles = await fullTitles(sql, ids);
  return ids.flatMap((id) => titles.get(id) ?? []);
}

export interface StrongMemory {
  readonly id: string;
  readonly type: MemoryType;
  readonly title: string;
  readonly content: string;
}

/** The strongest memories of a scope, strongest first. */
export async function strongestMemories(
  sql: Sql,
  scope: RecallScope,
  limit: number,
): Promise<StrongMemory[]> {
  const newest = newestInScope(scope);
  const rows = await sql.all<StrongMemory>(
    `${newest.text} SELECT id, type, title, content FROM newest ${strongestFirst} LIMIT ?`,
    [...newest.args, scope.now, limit],
  );
  return applyPresentTitles(sql, rows);
}

/** The keys of all projects that have memories; null for memories without a project. */
export async function allProjectKeys(sql: Sql): Promise<(string | null)[]> {
  const rows = await sql.values("SELECT DISTINCT project_key FROM memories");
  return rows.map(([key]) => (key === null ? null : String(key)));
}

/** Needs the present time as a parameter. */
const strongestFirst = `ORDER BY ${strengthSql("?")} DESC, created_at DESC, id DESC`;

function newestInScope(scope: RecallScope, condition = ""): { text: string; args: SqlValue[] } {
  const agent = agentClause(scope.filter, "agent_id");
  return {
    text: `WITH asked(key) AS (SELECT value FROM json_each(?)), newest AS (
      SELECT memories.* FROM asked CROSS JOIN memories WHERE memories.id IN (SELECT id FROM memories
        WHERE project_key IS asked.key AND ${liveSql("?")}${condition}${agent.text}
        ORDER BY created_at DESC LIMIT ${newestPerKey}))`,
    args: [JSON.stringify(scope.keys), scope.now, ...agent.args],
  };
}

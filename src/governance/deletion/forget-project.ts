import { deleteOwnCommits } from "../../capture/commits/links.ts";
import { readProjectAliases } from "../../capture/projects/project-aliases.ts";
import type { Projects } from "../../capture/projects/projects.ts";
import { everyone } from "../../capture/sessions/agent-scope.ts";
import type { Ground } from "../../ground.ts";
import { enqueuePurge } from "../../index/words/purge.ts";
import {
  type ForgetSessionServices,
  forgetSession,
} from "../../knowledge/memories/forgetting/forget-session.ts";
import { MemsvcError } from "../../operation/errors.ts";
import { ofProjects } from "../../store/of-projects.ts";
import { firstColumn, firstRow, type Sql } from "../../store/sql.ts";
import type { DryRun } from "../../store/store.ts";
import type { AskedBy, Audit } from "../audit/audit.ts";
import { type ForgottenProject, ProjectCounts } from "./answers.ts";
import { because } from "./because.ts";
import { projectTables } from "./project-tables.ts";

export interface ForgetProjectServices extends ForgetSessionServices {
  readonly audit: Audit;
  readonly projects: Projects;
}

export interface ForgetProjectInput extends DryRun {
  readonly project: string;
  readonly reason?: string | undefined;
}

/** The tables that the counts of the answer come from. */
const countedTables: Readonly<Record<keyof ProjectCounts, string>> = {
  sessions: "sessions",
  observations: "observations",
  memories: "memories",
  facts: "semantic_memories",
  procedures: "procedural_memories",
  insights: "insights",
  lessons: "lessons",
  crystals: "crystals",
  sketches: "sketches",
  actions: "actions",
  slots: "memory_slots",
  sharedCopies: "team_items",
};

/**
 * Deletes everything that is stored for a project, whatever its agent. Each session has a transaction of its own, so
 * that other writers wait for none longer than for `forget`; if it is interrupted, another run deletes the rest. Errors:
 * not_found when nothing is stored for it; conflict when several folders share the given name.
 */
export async function forgetProject(
  ground: Ground,
  services: ForgetProjectServices,
  { project, reason, dryRun }: ForgetProjectInput,
  by: AskedBy,
): Promise<ForgottenProject> {
  const { store, now } = ground;
  const { sql } = store.read;
  await refuseShared(sql, services.projects, project);
  const keys = await services.projects.ownKeys(sql, project);
  const place = (await readProjectAliases(sql)).of(await services.projects.folderKey(sql, project));
  const deleted = await countsOf(sql, keys);
  const total = Object.values(deleted).reduce((sum, count) => sum + count, 0);
  if (total === 0) {
    throw new MemsvcError("not_found", `nothing is stored for the project ${project}`, {
      hint: "list the known ones: memsvc project list",
    });
  }
  const answer = { project: place, deleted, total };
  if (dryRun === true) return { ...answer, dryRun };
  const list = [JSON.stringify(keys)];
  for (const sessionId of await firstColumn(sql, `SELECT id FROM sessions WHERE ${ofProjects}`, list)) {
    const input = { sessionId, includeSession: true };
    await store.writeAlone(async (tx) => {
      await deleteOwnCommits(tx.sql, sessionId);
      await forgetSession(tx, services, everyone, input, now());
    });
  }
  await store.writeAlone(async (tx) => {
    for (const deleteRows of projectTables.values()) await deleteRows(tx, ground, keys);
    await tx.sql.run("DELETE FROM project_aliases WHERE path IN (SELECT value FROM json_each(?))", list);
    await enqueuePurge(tx, ground, { afterMs: 0 });
    await services.audit.recordUnscoped(tx, by, {
      operation: "delete",
      functionId: "governance.forget-project",
      targetIds: [],
      details: { ...because(reason), project: place.project, ...deleted },
    });
  });
  ground.wakeJobs();
  return answer;
}

async function refuseShared(sql: Sql, projects: Projects, project: string): Promise<void> {
  const folders = await projects.sharing(sql, project);
  if (folders.length === 0) return;
  throw new MemsvcError(
    "conflict",
    `${folders.length} folders are called ${project}: ${folders.join(", ")}`,
    {
      hint: "name the folder of the one to forget",
    },
  );
}

async function countsOf(sql: Sql, keys: readonly string[]): Promise<ProjectCounts> {
  const columns = Object.entries(countedTables).map(
    ([name, table]) => `(SELECT count(*) FROM ${table} WHERE ${ofProjects}) AS ${name}`,
  );
  const row = await firstRow(sql, `SELECT ${columns.join(", ")}`, [JSON.stringify(keys)]);
  return ProjectCounts.parse(row);
}

import type { Projects } from "../../capture/projects/projects.ts";
import {
  type AgentFilter,
  type AgentScopes,
  everyone,
  isVisible,
  type ScopeRequest,
} from "../../capture/sessions/agent-scope.ts";
import { activeProjects } from "../../capture/sessions/history.ts";
import type { View } from "../../capture/sessions/view.ts";
import { documentProjects } from "../../index/documents/document-owners.ts";
import type { Sql } from "../../store/sql.ts";

/** More than any store has. */
const mostUnits = 1_000;

/** What is consolidated together: one project, and one agent where agents are isolated. */
export interface Unit {
  readonly projectKey: string | null;
  /** The name to store with conclusions; it leads to the same key. */
  readonly project: string | undefined;
  /** The rows to draw from. */
  readonly filter: AgentFilter;
  /** The owner of what is drawn. */
  readonly agentId: string | undefined;
}

export interface UnitRequest extends Omit<ScopeRequest, "sessionId"> {
  readonly project?: string | undefined;
}

interface Services {
  readonly agents: AgentScopes;
  readonly projects: Projects;
}

const statementKinds = ["memory", "lesson", "crystal"] as const;

/** The view that a request names, for tiers that only read, or that process rows one by one. */
export async function viewOf(
  sql: Sql,
  { agents, projects }: Services,
  { project, ...request }: UnitRequest,
): Promise<View> {
  return {
    keys: await projects.readKeys(sql, project),
    filter: (await agents.readerIfNamed(sql, request)) ?? everyone,
  };
}

/** The units that a request names, the most recently active first. */
export async function unitsOf(sql: Sql, services: Services, request: UnitRequest): Promise<Unit[]> {
  const { keys, filter } = await viewOf(sql, services, request);
  const perAgent = services.agents.isolated && filter.kind === "everyone";
  const writer = await services.agents.writer(sql, request);
  const found = new Map<string, Unit>();
  const add = async (projectKey: string | null, named: string | null, agentId: string | null) => {
    const name = unitName({ projectKey, agentId: perAgent ? (agentId ?? undefined) : undefined });
    if (found.has(name) || found.size === mostUnits) return;
    found.set(name, {
      projectKey,
      project: await services.projects.nameOfRow(sql, { project: named, projectKey }),
      filter: perAgent && agentId !== null ? { kind: "agent", agentId, includeOrphans: false } : filter,
      agentId: perAgent ? (agentId ?? undefined) : writer,
    });
  };
  for (const active of await activeProjects(sql, { keys, filter, perAgent }, mostUnits))
    await add(active.projectKey, active.project, active.agentId);
  for (const { projectKey, project, agentId } of await documentProjects(sql, statementKinds)) {
    const isAsked = keys === undefined || (projectKey !== null && keys.includes(projectKey));
    // Where agents are isolated, records without an agent are not combined.
    const hasOwner = !perAgent || agentId !== null;
    if (isAsked && hasOwner && isVisible(filter, agentId)) await add(projectKey, project, agentId);
  }
  return [...found.values()];
}

/** A unique name for a unit. */
export function unitName({ projectKey, agentId }: Pick<Unit, "projectKey" | "agentId">): string {
  return JSON.stringify([projectKey, agentId ?? null]);
}

import type { Projects } from "../../capture/projects/projects.ts";
import {
  type AgentFilter,
  type AgentScopes,
  isVisible,
  type ScopeRequest,
} from "../../capture/sessions/agent-scope.ts";
import { activeProjects } from "../../capture/sessions/history.ts";
import type { View } from "../../capture/sessions/view.ts";
import { documentProjects } from "../../index/documents/document-owners.ts";
import type { Sql } from "../../store/sql.ts";

/** No store has as many projects. */
const mostUnits = 1_000;

/** What may be looked at together: one project, and one agent where agents are kept apart. */
export interface Unit {
  readonly projectKey: string | null;
  /** By which what is drawn from it names its project; it leads to the same key. */
  readonly project: string | undefined;
  /** Whose rows it is drawn from. */
  readonly filter: AgentFilter;
  /** Whose what is drawn will be. */
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

/** What a request is about, as far as rows are only looked at or finished one by one. */
export async function viewOf(
  sql: Sql,
  { agents, projects }: Services,
  { project, ...request }: UnitRequest,
): Promise<View> {
  return {
    keys: await projects.readKeys(sql, project),
    filter: (await agents.readerIfNamed(sql, request)) ?? { kind: "everyone" },
  };
}

/** The units that a request asks for, the most recently active first. */
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
      project: projectKey === null ? undefined : await services.projects.nameOf(sql, projectKey, named),
      filter: perAgent && agentId !== null ? { kind: "agent", agentId, includeOrphans: false } : filter,
      agentId: perAgent ? (agentId ?? undefined) : writer,
    });
  };
  for (const active of await activeProjects(sql, { keys, filter, perAgent }, mostUnits))
    await add(active.projectKey, active.project, active.agentId);
  for (const { projectKey, project, agentId } of await documentProjects(sql, statementKinds)) {
    const isAsked = keys === undefined || (projectKey !== null && keys.includes(projectKey));
    // What belongs to nobody is not drawn together where agents are kept apart.
    const hasOwner = !perAgent || agentId !== null;
    if (isAsked && hasOwner && isVisible(filter, agentId)) await add(projectKey, project, agentId);
  }
  return [...found.values()];
}

/** Tells units apart. */
export function unitName({ projectKey, agentId }: Pick<Unit, "projectKey" | "agentId">): string {
  return JSON.stringify([projectKey, agentId ?? null]);
}

import { and, type Column, inArray, isNull, or, type SQL } from "drizzle-orm";
import type { SearchScope } from "../../index/scope.ts";
import type { Sql, SqlValue } from "../../store/sql.ts";
import type { Projects } from "../projects/projects.ts";
import {
  type AgentFilter,
  type AgentScopes,
  agentClause,
  agentCondition,
  agentScope,
  everyone,
  type ScopeRequest,
} from "./agent-scope.ts";

/** The projects and agents whose rows are read. */
export interface View {
  /** Project keys; undefined for all projects. */
  readonly keys: readonly string[] | undefined;
  readonly filter: AgentFilter;
}

/** A view of one project, with all of its keys. */
export interface ProjectView extends View {
  readonly keys: readonly string[];
}

/** The project and agent of a request. */
export interface ViewRequest extends ScopeRequest {
  readonly project?: string | undefined;
  /** The working folder, which tells apart projects of the same name. */
  readonly cwd?: string | undefined;
}

/** The view that a request may see. Error: invalid_input when agents are isolated and none is named. */
export async function requestedView(
  sql: Sql,
  { agents, projects }: { readonly agents: AgentScopes; readonly projects: Projects },
  request: ViewRequest,
): Promise<View> {
  const filter = await agents.reader(sql, request);
  return { filter, keys: await projects.readKeys(sql, request.project, request.cwd) };
}

export const fullView: View = { keys: undefined, filter: everyone };

/** The view as a drizzle condition; undefined when it excludes nothing. */
export function viewCondition(
  { keys, filter }: View,
  table: { readonly projectKey: Column; readonly agentId: Column },
): SQL | undefined {
  return and(
    keys === undefined ? undefined : inArray(table.projectKey, [...keys]),
    agentCondition(filter, table.agentId),
  );
}

/** The same, also for rows without a project, which apply to all. */
export function viewOrNoProjectCondition(
  { keys, filter }: View,
  table: { readonly projectKey: Column; readonly agentId: Column },
): SQL | undefined {
  return and(
    agentCondition(filter, table.agentId),
    keys === undefined ? undefined : or(inArray(table.projectKey, [...keys]), isNull(table.projectKey)),
  );
}

/** The view as SQL that begins with AND, and its arguments; `table` has both columns. */
export function viewClause({ keys, filter }: View, table: string): { text: string; args: SqlValue[] } {
  const agent = agentClause(filter, `${table}.agent_id`);
  if (keys === undefined) return agent;
  return {
    text: ` AND ${table}.project_key IN (SELECT value FROM json_each(?))${agent.text}`,
    args: [JSON.stringify(keys), ...agent.args],
  };
}

/** The view as a part of what a search is confined to; what is of no project and holds beyond one is seen, too. */
export function viewScope({
  keys,
  filter,
}: View): Pick<SearchScope, "projectKeys" | "includeWithoutProject" | "agent"> {
  const projects = keys === undefined ? {} : { projectKeys: keys, includeWithoutProject: true };
  return { ...projects, ...agentScope(filter) };
}

import { type Column, eq, isNull, or, type SQL } from "drizzle-orm";
import type { Settings } from "../../config/load.ts";
import { MemsvcError } from "../../operation/errors.ts";
import { firstRow, type Sql, type SqlValue } from "../../store/sql.ts";

/** The agents whose rows a read may see. Scoping keeps agents' knowledge apart; it is no access control. */
export type AgentFilter =
  | { readonly kind: "everyone" }
  | { readonly kind: "agent"; readonly agentId: string; readonly includeOrphans: boolean };

export const everyone: AgentFilter = { kind: "everyone" };

export interface ScopeRequest {
  readonly agentId?: string | undefined;
  readonly sessionId?: string | undefined;
  readonly includeOrphans?: boolean | undefined;
  /** The agent that the caller works for; takes precedence over the setting. */
  readonly defaultAgentId?: string | undefined;
}

/** Who writes, if no session decides it. */
export type Writer = Pick<ScopeRequest, "agentId" | "defaultAgentId">;

const anyAgent = "*";

export class AgentScopes {
  readonly #settings: Settings;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  get isolated(): boolean {
    return this.#settings.agentScope === "isolated";
  }

  /** The agent to store with a written row; undefined for none (an orphan). */
  async writer(sql: Sql, request: ScopeRequest): Promise<string | undefined> {
    const named = namedAgent(request.agentId);
    if (named !== undefined) return named;
    return namedAgent(await this.#impliedAgent(sql, request));
  }

  /** The rows from which something may be derived that will belong to the agent, or to none. */
  sourcesOf(agentId: string | undefined): AgentFilter {
    if (!this.isolated) return everyone;
    return { kind: "agent", agentId: agentId ?? "", includeOrphans: agentId === undefined };
  }

  /** The rows that a read may see. Error: invalid_input when agents are isolated and none is named. */
  async reader(sql: Sql, request: ScopeRequest): Promise<AgentFilter> {
    const filter = await this.readerIfNamed(sql, request);
    if (filter !== undefined) return filter;
    throw new MemsvcError(
      "invalid_input",
      "agentId required: agents are isolated here (MEMSVC_AGENT_SCOPE=isolated)",
      {
        hint: "name the agent with agentId or the setting AGENT_ID, or pass * for all agents",
        issues: [{ path: "agentId", message: "agentId (or *) is needed while agents are isolated" }],
      },
    );
  }

  /** Like reader(), but returns undefined instead of the error. */
  async readerIfNamed(sql: Sql, request: ScopeRequest): Promise<AgentFilter | undefined> {
    const includeOrphans = request.includeOrphans ?? false;
    if (request.agentId === anyAgent) return everyone;
    if (request.agentId !== undefined) return { kind: "agent", agentId: request.agentId, includeOrphans };
    if (!this.isolated) return everyone;
    const agentId = await this.#impliedAgent(sql, request);
    if (agentId === anyAgent) return everyone;
    return agentId === undefined ? undefined : { kind: "agent", agentId, includeOrphans };
  }

  /** The agent of a request that names none: its session's, the caller's, or the setting's. */
  async #impliedAgent(sql: Sql, request: ScopeRequest): Promise<string | undefined> {
    const ofSession = await sessionAgent(sql, request.sessionId);
    return ofSession ?? request.defaultAgentId ?? this.#settings.agentId;
  }
}

/** The agent to write a row with: `*`, which means all agents in reads, names none. */
export function namedAgent(agentId: string | undefined): string | undefined {
  return agentId === anyAgent ? undefined : agentId;
}

async function sessionAgent(sql: Sql, sessionId: string | undefined): Promise<string | undefined> {
  if (sessionId === undefined) return undefined;
  const row = await firstRow<{ agent_id: string | null }>(sql, "SELECT agent_id FROM sessions WHERE id = ?", [
    sessionId,
  ]);
  return row?.agent_id ?? undefined;
}

export function isVisible(filter: AgentFilter, agentId: string | null | undefined): boolean {
  if (filter.kind === "everyone") return true;
  return agentId === filter.agentId || (filter.includeOrphans && (agentId ?? undefined) === undefined);
}

/** The filter as a drizzle condition; undefined when it excludes nothing. */
export function agentCondition(filter: AgentFilter, column: Column): SQL | undefined {
  if (filter.kind === "everyone") return undefined;
  const own = eq(column, filter.agentId);
  return filter.includeOrphans ? or(own, isNull(column)) : own;
}

/** The filter as SQL that begins with AND, and its arguments. */
export function agentClause(filter: AgentFilter, column: string): { text: string; args: SqlValue[] } {
  if (filter.kind === "everyone") return { text: "", args: [] };
  const orphans = filter.includeOrphans ? ` OR ${column} IS NULL` : "";
  return { text: ` AND (${column} = ?${orphans})`, args: [filter.agentId] };
}

/** The filter as a part of a search scope. */
export function agentScope(filter: AgentFilter): {
  readonly agent?: { readonly agentId: string; readonly includeOrphans: boolean };
} {
  if (filter.kind === "everyone") return {};
  return { agent: { agentId: filter.agentId, includeOrphans: filter.includeOrphans } };
}

import { and, desc, eq, gt, inArray, type SQL, sql as text } from "drizzle-orm";
import type { Audit } from "../../governance/audit/audit.ts";
import { writeTombstones } from "../../governance/retention/tombstones.ts";
import type { Ground } from "../../ground.ts";
import { invalidateProfiles } from "../../knowledge/profiles/cache.ts";
import { summariesOf } from "../../knowledge/summaries/stored-summaries.ts";
import { MemsvcError } from "../../operation/errors.ts";
import { withSmallDrive } from "../../paths/path-text.ts";
import { listContains } from "../../store/list-contains.ts";
import { longPageOf } from "../../store/long-page.ts";
import type { Paged, Paging } from "../../store/page.ts";
import { firstColumn } from "../../store/sql.ts";
import type { Connection, Transaction } from "../../store/store.ts";
import { mapInTurns } from "../../store/turns.ts";
import { unlinkSession } from "../commits/links.ts";
import type { Projects } from "../projects/projects.ts";
import type { ProjectShare } from "../projects/record.ts";
import {
  type AgentFilter,
  type AgentScopes,
  agentClause,
  isVisible,
  type ScopeRequest,
} from "./agent-scope.ts";
import { type Session, type SessionRow, sessionRecord } from "./record.ts";
import { type StartedSession, type StartInput, startSession } from "./start-session.ts";
import { enqueueStop } from "./stop-pipeline.ts";
import { sessions } from "./tables.ts";
import { requestedView, type ViewRequest, viewCondition } from "./view.ts";

interface ListInput extends ViewRequest, Paging {
  readonly status?: Session["status"] | undefined;
  /** Only sessions with this tag. */
  readonly tag?: string | undefined;
  /** Only these sessions. */
  readonly ids?: readonly string[] | undefined;
  /** Only sessions with observations. */
  readonly observed?: true | undefined;
  /** Only sessions whose working folder is one of these, or is inside one. */
  readonly folders?: readonly string[] | undefined;
}

export interface SessionPlace {
  readonly project: string;
  readonly cwd: string;
}

export interface SessionServices {
  readonly agents: AgentScopes;
  readonly projects: Projects;
  readonly audit: Audit;
}

/** Sessions: one agent conversation each, bound to a project and a working directory. */
export class Sessions {
  readonly #ground: Ground;
  readonly #services: SessionServices;

  constructor(ground: Ground, services: SessionServices) {
    this.#ground = ground;
    this.#services = services;
  }

  /**
   * Opens a session, or resumes an existing one. Error: conflict when agents are isolated and it belongs to
   * another.
   */
  start(input: StartInput): Promise<StartedSession> {
    return startSession(this.#ground, { ...this.#services, sessions: this }, input);
  }

  /**
   * Completes a session; `ended` is false when it was completed before. Error: not_found, also for a session
   * of another isolated agent.
   */
  async end(input: ScopeRequest & { readonly sessionId: string }): Promise<{ ended: boolean }> {
    const { store, now } = this.#ground;
    const answer = await store.write(async (tx) => {
      const before = await this.find(tx, input.sessionId);
      const { agents } = this.#services;
      // Where agents are not isolated, the agent of a request only filters reads, and this is none. A session
      // without an agent may be ended by everybody, as everybody may resume it.
      const filter = agents.isolated
        ? await agents.readerIfNamed(tx.sql, { ...input, includeOrphans: true })
        : undefined;
      if (before === undefined || (filter !== undefined && !isVisible(filter, before.agentId)))
        throw unknownSession(input.sessionId);
      if (before.status === "completed") return { ended: false };
      await tx.orm
        .update(sessions)
        .set({ status: "completed", endedAt: now() })
        .where(eq(sessions.id, before.id));
      await invalidateProfiles(tx.sql, before.projectKey);
      await enqueueStop(tx, this.#ground, before, "end");
      await this.#services.audit.record(tx, {
        operation: "session_end",
        functionId: "session.end",
        targetIds: [before.id],
        details: { statusBefore: before.status },
        agentId: before.agentId,
      });
      return { ended: true };
    });
    if (answer.ended) this.#ground.wakeJobs();
    return answer;
  }

  async list(input: ListInput): Promise<{ sessions: Session[] } & Paged> {
    const { read } = this.#ground.store;
    const where = and(
      viewCondition(await requestedView(read.sql, this.#services, input), sessions),
      input.status === undefined ? undefined : eq(sessions.status, input.status),
      input.tag === undefined ? undefined : listContains(sessions.tags, input.tag),
      input.ids === undefined ? undefined : inArray(sessions.id, [...input.ids]),
      input.observed === undefined ? undefined : gt(sessions.observationCount, 0),
      input.folders === undefined ? undefined : liesIn(input.folders),
    );
    const order = [desc(sessions.startedAt), desc(sessions.id)];
    const { rows, ...page } = await longPageOf(this.#ground.store, sessions, { where, order }, input);
    const summaries = await summariesOf(
      read,
      rows.map(({ id }) => id),
    );
    const record = (row: SessionRow) => ({
      ...sessionRecord(row, summaries.get(row.id)),
      summary: row.summary ?? "",
    });
    return { sessions: await mapInTurns(rows, record), ...page };
  }

  /** The folders in which sessions worked, each once. */
  folders(): Promise<string[]> {
    return firstColumn(this.#ground.store.read.sql, "SELECT DISTINCT cwd FROM sessions");
  }

  /** The number of sessions by project, as far as the filter allows. */
  byProject(filter: AgentFilter): Promise<ProjectShare[]> {
    const agent = agentClause(filter, "agent_id");
    return this.#ground.store.read.sql.all<ProjectShare>(
      `SELECT project_key AS key, count(*) AS count, max(started_at) AS lastAt FROM sessions
       WHERE true${agent.text} GROUP BY project_key`,
      agent.args,
    );
  }

  /** A session that the filter allows. Error: not_found. */
  async visible(connection: Connection, sessionId: string, filter: AgentFilter): Promise<SessionRow> {
    const row = await this.find(connection, sessionId);
    if (row === undefined || !isVisible(filter, row.agentId)) throw unknownSession(sessionId);
    return row;
  }

  async find(connection: Connection, sessionId: string): Promise<SessionRow | undefined> {
    const [row] = await connection.orm.select().from(sessions).where(eq(sessions.id, sessionId)).limit(1);
    return row;
  }

  /** Project and working folder of sessions, by id. */
  async places(
    ids: readonly string[],
    { sql }: Pick<Connection, "sql"> = this.#ground.store.read,
  ): Promise<Map<string, SessionPlace>> {
    const rows = await sql.all<SessionPlace & { id: string }>(
      "SELECT id, project, cwd FROM sessions WHERE id IN (SELECT value FROM json_each(?))",
      [JSON.stringify([...new Set(ids)])],
    );
    return new Map(rows.map(({ id, ...place }) => [id, place]));
  }

  /** When sessions began, in milliseconds since 1970; unknown ids are ignored. */
  async beginnings(ids: readonly string[]): Promise<Map<string, number>> {
    const rows = await this.#ground.store.read.sql.all<{ id: string; startedAt: number }>(
      "SELECT id, started_at AS startedAt FROM sessions WHERE id IN (SELECT value FROM json_each(?))",
      [JSON.stringify([...new Set(ids)])],
    );
    return new Map(rows.map(({ id, startedAt }) => [id, startedAt]));
  }

  /** Sets the short summary of a session. */
  async describe(tx: Transaction, sessionId: string, summary: string): Promise<void> {
    await tx.orm.update(sessions).set({ summary }).where(eq(sessions.id, sessionId));
  }

  /**
   * Deletes a session's row and its links to commits, and leaves a tombstone. Its observations are deleted
   * separately.
   */
  async remove(tx: Transaction, sessionId: string): Promise<number> {
    const gone = await tx.orm
      .delete(sessions)
      .where(eq(sessions.id, sessionId))
      .returning({ id: sessions.id, projectKey: sessions.projectKey });
    await unlinkSession(tx.sql, sessionId, this.#ground.now());
    await writeTombstones(tx.sql, "session", gone, this.#ground.now());
    return gone.length;
  }

  /** Sessions by id; unknown ids are ignored. */
  async byIds(ids: readonly string[]): Promise<Map<string, SessionRow>> {
    if (ids.length === 0) return new Map();
    const rows = await this.#ground.store.read.orm
      .select()
      .from(sessions)
      .where(inArray(sessions.id, [...new Set(ids)]));
    return new Map(rows.map((row) => [row.id, row]));
  }

  async activeIds({ orm }: Connection): Promise<string[]> {
    const rows = await orm.select({ id: sessions.id }).from(sessions).where(eq(sessions.status, "active"));
    return rows.map(({ id }) => id);
  }
}

function unknownSession(sessionId: string): MemsvcError {
  return new MemsvcError("not_found", `session ${sessionId} is not known`, {
    hint: "list the known ones: memsvc session list",
  });
}

/** On Windows agents write a path with either slash and either letter of the drive. */
function liesIn(folders: readonly string[]): SQL {
  const { cwd } = sessions;
  const beginnings = folders.map((folder) =>
    `${withSmallDrive(folder).replaceAll("\\", "/")}/`.replace(/\/+$/u, "/"),
  );
  const drive = text`iif(${cwd} GLOB '[A-Z]:*', lower(substr(${cwd}, 1, 1)) || substr(${cwd}, 2), ${cwd})`;
  return text`EXISTS (SELECT 1 FROM json_each(${JSON.stringify(beginnings)})
    WHERE substr(replace(${drive}, '\\', '/') || '/', 1, length(value)) = value)`;
}

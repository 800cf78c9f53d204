import type { AskedBy, Audit } from "../../governance/audit/audit.ts";
import type { Ground } from "../../ground.ts";
import type { Memories } from "../../knowledge/memories/memories.ts";
import { MemsvcError } from "../../operation/errors.ts";
import { timeText } from "../../operation/fields.ts";
import { lastSegment } from "../../paths/path-text.ts";
import { statIfExists } from "../../paths/stat-if-exists.ts";
import type { Paged, Paging } from "../../store/page.ts";
import { hasRow, type Sql } from "../../store/sql.ts";
import type { Transaction } from "../../store/store.ts";
import type { AgentFilter, AgentScopes, ScopeRequest } from "../sessions/agent-scope.ts";
import type { Sessions } from "../sessions/sessions.ts";
import { readProjectAliases } from "./project-aliases.ts";
import type { Alias } from "./project-name.ts";
import type { Projects } from "./projects.ts";
import type { Project, ProjectPlace, ProjectShare } from "./record.ts";

interface Services {
  readonly agents: AgentScopes;
  readonly projects: Projects;
  readonly sessions: Sessions;
  readonly memories: Memories;
  readonly audit: Audit;
}

/**
 * The projects and their folders. A project keeps the key under which it was first stored; a folder that it
 * is moved to becomes an alias of it, so no row is rewritten.
 */
export class ProjectFolders {
  readonly #ground: Ground;
  readonly #services: Services;

  constructor(ground: Ground, services: Services) {
    this.#ground = ground;
    this.#services = services;
  }

  /** Last active first. Error: invalid_input when agents are isolated and none is named. */
  async list({ limit, offset, ...scope }: Paging & ScopeRequest): Promise<{ projects: Project[] } & Paged> {
    const { sql } = this.#ground.store.read;
    const filter = await this.#services.agents.reader(sql, scope);
    const all = await this.#all(sql, filter);
    const projects = all.slice(offset, offset + limit).map(present);
    return { projects, total: all.length, offset, limit };
  }

  /**
   * Errors: invalid_input; not_found when the folder belongs to no known project; conflict when both folders
   * are the same project.
   */
  async move(input: { readonly from: string; readonly to: string }, by: AskedBy): Promise<ProjectPlace> {
    const [from, to] = [this.#folder("from", input.from), this.#folder("to", input.to)];
    return this.#change(async (tx) => {
      const project = await this.#services.projects.folderKey(tx.sql, from);
      const isKnown = "SELECT 1 FROM project_aliases WHERE path = ? LIMIT 1";
      if (!(await hasRow(tx.sql, isKnown, [project]))) {
        throw new MemsvcError("not_found", `no project is known in ${from}`, {
          hint: "list the known ones: memsvc project list",
        });
      }
      if ((await this.#services.projects.folderKey(tx.sql, to)) === project) {
        throw new MemsvcError("conflict", `${to} is the same project already`, {
          hint: "see its folders: memsvc project list",
        });
      }
      await tx.sql.run("DELETE FROM project_aliases WHERE name = ?", [to]);
      await tx.sql.run("UPDATE OR REPLACE project_aliases SET path = ? WHERE path = ?", [project, to]);
      await learn(tx.sql, [
        { name: to, path: project },
        { name: lastSegment(to), path: project },
      ]);
      await this.#note(tx, by, "move", { project, from, to });
      return project;
    });
  }

  /** Errors: invalid_input; not_found when the folder is no alias of another one. */
  async separate(input: { readonly folder: string }, by: AskedBy): Promise<ProjectPlace> {
    const folder = this.#folder("folder", input.folder);
    return this.#change(async (tx) => {
      const project = await this.#services.projects.folderKey(tx.sql, folder);
      if (project === folder) {
        throw new MemsvcError("not_found", `${folder} does not stand for another folder`, {
          hint: "see which do: memsvc project list",
        });
      }
      await tx.sql.run("DELETE FROM project_aliases WHERE name = ?", [folder]);
      if (lastSegment(folder) !== lastSegment(project)) {
        await tx.sql.run("DELETE FROM project_aliases WHERE name = ? AND path = ?", [
          lastSegment(folder),
          project,
        ]);
      }
      await learn(tx.sql, [{ name: lastSegment(folder), path: folder }]);
      await this.#note(tx, by, "separate", { project, folder });
      return project;
    });
  }

  async #change(work: (tx: Transaction) => Promise<string>): Promise<ProjectPlace> {
    const { store } = this.#ground;
    const key = await store.write(work);
    return present((await readProjectAliases(store.read.sql)).of(key));
  }

  async #note(
    tx: Transaction,
    by: AskedBy,
    how: "move" | "separate",
    details: Readonly<Record<string, string>>,
  ): Promise<void> {
    await this.#services.audit.recordUnscoped(tx, by, {
      operation: `project_${how}`,
      functionId: `project.${how}`,
      targetIds: [],
      details,
    });
  }

  #folder(field: string, given: string): string {
    const folder = this.#services.projects.folder(given);
    if (folder !== undefined) return folder;
    throw new MemsvcError("invalid_input", `${field} must be the absolute path of a folder`, {
      issues: [{ path: field, message: "must be the absolute path of a folder" }],
    });
  }

  async #all(sql: Sql, filter: AgentFilter): Promise<Project[]> {
    const { sessions, memories } = this.#services;
    const places = await readProjectAliases(sql);
    const found = new Map<string, Activity>();
    const activityOf = ({ key, lastAt }: ProjectShare): Activity => {
      const project = places.keyOf(key);
      const activity = found.get(project) ?? { sessionCount: 0, memoryCount: 0, lastAt };
      activity.lastAt = Math.max(activity.lastAt, lastAt);
      found.set(project, activity);
      return activity;
    };
    for (const share of await sessions.byProject(filter)) activityOf(share).sessionCount += share.count;
    for (const share of await memories.byProject(filter)) activityOf(share).memoryCount += share.count;
    return [...found]
      .sort(([, left], [, right]) => right.lastAt - left.lastAt)
      .map(([key, { lastAt, ...counts }]) => ({
        ...places.of(key),
        ...counts,
        lastActiveAt: timeText(lastAt),
      }));
  }
}

/** Adds the folder in which the project is now, if that exists on this machine. */
function present<Place extends ProjectPlace>(place: Place): Place {
  if (place.folders.length === 0 || statIfExists(place.project) !== undefined) return place;
  const presentFolder = place.folders.find((folder) => statIfExists(folder) !== undefined);
  return presentFolder === undefined ? place : { ...place, presentFolder };
}

interface Activity {
  sessionCount: number;
  memoryCount: number;
  /** Milliseconds since 1970. */
  lastAt: number;
}

async function learn(sql: Sql, aliases: readonly Alias[]): Promise<void> {
  for (const { name, path } of aliases) {
    await sql.run("INSERT OR IGNORE INTO project_aliases (name, path) VALUES (?, ?)", [name, path]);
  }
}

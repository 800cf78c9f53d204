import { posix } from "node:path";
import type { Projects } from "../../capture/projects/projects.ts";
import type { AgentScopes, ScopeRequest } from "../../capture/sessions/agent-scope.ts";
import type { Sessions } from "../../capture/sessions/sessions.ts";
import { type View, viewScope } from "../../capture/sessions/view.ts";
import type { Ground } from "../../ground.ts";
import { folderPrefix, fullPath, isAbsolute } from "../../paths/path-text.ts";
import { projectFolderOf } from "../../paths/project-folder.ts";
import { placesInRepositories, type TraceRequest } from "./file-traces.ts";
import { movesMade } from "./former-paths.ts";

export interface HistoryInput extends ScopeRequest {
  readonly files: readonly string[];
  readonly project?: string | undefined;
  /** Where relative paths start when the session does not say. */
  readonly folder?: string | undefined;
}

/** What a request about files resolves to: whose records, of which project, and where relative paths start. */
export interface Place extends TraceRequest {
  readonly project: string | undefined;
  readonly view: View;
}

interface Places {
  /**
   * The place of the request as a whole; if its files belong to several projects, that of the session, or without one,
   * of no project.
   */
  readonly place: Place;
  readonly placeOf: (file: string) => Place;
}

interface Services {
  readonly agents: AgentScopes;
  readonly projects: Projects;
  readonly sessions: Sessions;
}

/**
 * The places of a request and of its files. If the request names no project, a file's is the one that contains it, or
 * else the session's: otherwise files of the same name in other projects would count too. Error: invalid_input when
 * agents are isolated and none is named.
 */
export async function placesOf(
  { store, now }: Ground,
  { agents, projects, sessions }: Services,
  input: HistoryInput,
  kinds: readonly string[],
): Promise<Places> {
  const { read } = store;
  const filter = await agents.reader(read.sql, input);
  const session = input.sessionId === undefined ? undefined : await sessions.find(read, input.sessionId);
  const start = session?.cwd ?? input.folder;
  const folderOf = foldersOfSessions(async (id) => (await sessions.find(read, id))?.cwd);
  const placeOfRepository = placesInRepositories();

  async function placeIn(project: string | undefined): Promise<Place> {
    const view = { keys: await projects.readKeys(read.sql, project, session?.cwd), filter };
    const scope = { kinds, now: now(), ...viewScope(view) };
    return {
      project,
      view,
      scope,
      cwd: session?.cwd,
      folder: start ?? projects.folder(project ?? ""),
      exceptSession: input.sessionId,
      moves: await movesMade(read.sql, scope, folderOf),
      placeOf: placeOfRepository,
      folderOf,
    };
  }

  const named = input.project ?? session?.project;
  const own = named === undefined ? undefined : await placeIn(named);
  const holding = new Map<string, string | undefined>();
  const outside = new Set<string>();
  for (const file of input.project === undefined ? input.files : []) {
    const whole = fullPath(file, start);
    if (own !== undefined && (await isIn(own, whole))) continue;
    const holder = await projects.holding(read.sql, whole);
    if (own !== undefined && holder === undefined) outside.add(file);
    else holding.set(file, holder);
  }

  /** Whether a project contains a file, in whatever working copy; true if that cannot be told. */
  async function isIn({ view: { keys = [] }, folder }: Place, whole: string): Promise<boolean> {
    if (folder === undefined || !isAbsolute(whole) || whole.startsWith(folderPrefix(folder))) return true;
    const owner = projectFolderOf(posix.dirname(whole));
    const copies = [owner, ...(await projects.readKeys(read.sql, owner))];
    return keys.some((key) => copies.includes(key) || whole.startsWith(folderPrefix(key)));
  }

  const projectOf = (file: string) => holding.get(file) ?? named;
  const held = new Set(input.files.map(projectOf));
  const place =
    held.size === 1 || own === undefined ? await placeIn(held.size === 1 ? [...held][0] : undefined) : own;
  const places = new Map([[place.project, place]]);
  for (const project of held) if (!places.has(project)) places.set(project, await placeIn(project));
  return {
    place,
    placeOf: (file) => {
      const ofFile = places.get(projectOf(file)) ?? place;
      return outside.has(file) ? { ...ofFile, isOutside: true } : ofFile;
    },
  };
}

/** Returns a function that gives the working folder of a session, and reads each session once. */
function foldersOfSessions(read: (id: string) => Promise<string | undefined>): TraceRequest["folderOf"] {
  const found = new Map<string, Promise<string | undefined>>();
  return async (id) => {
    if (id === null) return undefined;
    const folder = found.get(id) ?? read(id);
    found.set(id, folder);
    return folder;
  };
}

import type { Projects } from "../../capture/projects/projects.ts";
import type { AgentScopes, ScopeRequest } from "../../capture/sessions/agent-scope.ts";
import type { Sessions } from "../../capture/sessions/sessions.ts";
import { type View, viewScope } from "../../capture/sessions/view.ts";
import type { Ground } from "../../ground.ts";
import { fullPath } from "../../paths/path-text.ts";
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
  /** The place of the request as a whole; it has no project if its files belong to several. */
  readonly place: Place;
  readonly placeOf: (file: string) => Place;
}

interface Services {
  readonly agents: AgentScopes;
  readonly projects: Projects;
  readonly sessions: Sessions;
}

/**
 * The places of a request and of its files. If neither the request nor its session names a project, a file's is the one
 * that contains it: otherwise files of the same name in other projects would count too. Error: invalid_input when
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
  const holding = new Map<string, string | undefined>();
  if (named === undefined) {
    for (const file of input.files)
      holding.set(file, await projects.holding(read.sql, fullPath(file, start)));
  }
  const held = new Set(holding.values());
  const place = await placeIn(named ?? (held.size === 1 ? [...held][0] : undefined));
  const places = new Map([[place.project, place]]);
  for (const project of held) if (!places.has(project)) places.set(project, await placeIn(project));
  return { place, placeOf: (file) => places.get(holding.get(file)) ?? place };
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

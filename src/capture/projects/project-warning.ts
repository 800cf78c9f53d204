import type { Sql } from "../../store/sql.ts";
import { type AgentScopes, everyone } from "../sessions/agent-scope.ts";
import { countSessions } from "../sessions/history.ts";
import type { Projects } from "./projects.ts";

const mostNamed = 5;

/**
 * A warning for requests that store something under a name with which it will hardly be found: a bare one that several
 * folders share, or a folder inside the repository of another project. {} for other names.
 */
export async function projectWarning(
  sql: Sql,
  services: { readonly projects: Projects; readonly agents: AgentScopes },
  project: string | undefined,
): Promise<{ warning?: string }> {
  if (project === undefined) return {};
  const warning =
    (await ofSharedName(sql, services, project)) ?? (await ofInnerFolder(sql, services, project));
  return warning === undefined ? {} : { warning };
}

async function ofSharedName(
  sql: Sql,
  { projects, agents }: { readonly projects: Projects; readonly agents: AgentScopes },
  project: string,
): Promise<string | undefined> {
  const folders = await projects.sharing(sql, project);
  if (folders.length === 0) return undefined;
  // Where agents are isolated, they are not told the folders of others.
  const named = agents.isolated ? "" : `, ${listed(folders)}`;
  return `${folders.length} folders are called ${project}${named}: what is kept under the name is told in none of them; store it with the path of the one that is meant as project, or join them if they are one: memsvc project move <from> <to>`;
}

async function ofInnerFolder(
  sql: Sql,
  { projects }: { readonly projects: Projects },
  project: string,
): Promise<string | undefined> {
  const outer = await projects.enclosing(sql, project);
  if (outer === undefined) return undefined;
  const keys = [await projects.presentKey(sql, project)];
  // Somebody works in it as in a project of its own.
  if ((await countSessions(sql, { keys, filter: everyone }, undefined)) > 0) return undefined;
  return `work in ${project} is kept for the project ${outer}, in which what is kept for that folder is not told; store it with ${outer} as project`;
}

function listed(folders: readonly string[]): string {
  const more = folders.length - mostNamed;
  return `${folders.slice(0, mostNamed).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

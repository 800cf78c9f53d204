import type { Sql } from "../../store/sql.ts";
import type { AgentScopes } from "../sessions/agent-scope.ts";
import type { Projects } from "./projects.ts";

const mostNamed = 5;

/**
 * A warning for requests that store something under a bare name which several folders share; {} when the name
 * is not ambiguous.
 */
export async function sharedNameWarning(
  sql: Sql,
  { projects, agents }: { readonly projects: Projects; readonly agents: AgentScopes },
  project: string | undefined,
): Promise<{ warning?: string }> {
  const folders = project === undefined ? [] : await projects.sharing(sql, project);
  if (folders.length === 0) return {};
  // Where agents are isolated, they are not told the folders of others.
  const named = agents.isolated ? "" : `, ${listed(folders)}`;
  return {
    warning: `${folders.length} folders are called ${project}${named}: what is kept under the name is told in none of them; store it with the path of the one that is meant as project, or join them if they are one: memsvc project move <from> <to>`,
  };
}

function listed(folders: readonly string[]): string {
  const more = folders.length - mostNamed;
  return `${folders.slice(0, mostNamed).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

import type { ProjectFields } from "../../capture/projects/projects.ts";
import type { Writing } from "./collection.ts";

/**
 * What an export says of a row's project besides its name. The key is needed because the name may lead
 * elsewhere by the time of the import, when another folder of that name is known.
 */
export function projectKeyOf({ project, projectKey }: ProjectFields): { projectKey?: string } {
  if (projectKey === null || projectKey === "") return {};
  const isPath = project?.includes("/") === true;
  return isPath && projectKey === project ? {} : { projectKey };
}

/** The project of a row: its name as given, and its key, from the file or else looked up by the name. */
export async function projectFields(
  { tx, projects }: Writing,
  project: string | undefined,
  projectKey: string | undefined,
): Promise<ProjectFields> {
  if (projectKey !== undefined) return { project: project ?? null, projectKey };
  return projects.fieldsOf(tx.sql, project);
}

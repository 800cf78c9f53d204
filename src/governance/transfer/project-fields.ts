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

/**
 * The project of a row: its name as given, and its key, from the file or else looked up by the name. Other programs
 * write a blank name for no project.
 */
export async function projectFields(
  { tx, projects }: Writing,
  name: string | undefined,
  key: string | undefined,
): Promise<ProjectFields> {
  const [project, projectKey] = [present(name), present(key)];
  if (projectKey !== undefined) return { project: project ?? null, projectKey };
  return projects.fieldsOf(tx.sql, project);
}

function present(text: string | undefined): string | undefined {
  return text?.trim() === "" ? undefined : text;
}

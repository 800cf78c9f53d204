import type { ProjectFields } from "../../capture/projects/projects.ts";
import type { Writing } from "./collection.ts";

/**
 * What an export says of a row's project beside its name: what a bare name led to when the row was written, it may
 * no longer lead to, since another folder of that name is known by now.
 */
export function projectKeyOf({ project, projectKey }: ProjectFields): { projectKey?: string } {
  if (projectKey === null || projectKey === "") return {};
  const isPath = project?.includes("/") === true;
  return isPath && projectKey === project ? {} : { projectKey };
}

/** A row's project as it was given, with the key under which it is kept: that of the file, or what the name leads to. */
export async function projectFields(
  { tx, projects }: Writing,
  project: string | undefined,
  projectKey: string | undefined,
): Promise<ProjectFields> {
  if (projectKey !== undefined) return { project: project ?? null, projectKey };
  return projects.fieldsOf(tx.sql, project);
}

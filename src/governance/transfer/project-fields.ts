import type { Writing } from "./collection.ts";

export interface ProjectFields {
  readonly project: string | null;
  readonly projectKey: string | null;
}

/** A row's project as it was given, with the key under which it is kept. */
export async function projectFields(
  { tx, projects }: Writing,
  project: string | undefined,
): Promise<ProjectFields> {
  if (project === undefined) return { project: null, projectKey: null };
  return { project, projectKey: await projects.writeKey(tx.sql, project) };
}

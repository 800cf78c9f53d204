import type { ProjectFields, Projects } from "../../capture/projects/projects.ts";
import type { Sql } from "../../store/sql.ts";

/** Finds the name of a record's project: one that leads to no other project, null for none. */
export type ProjectNames = (row: ProjectFields) => Promise<string | null>;

/** Each project's name is looked up once: thousands of notes are of the same few. */
export function projectNames(projects: Projects, sql: Sql): ProjectNames {
  const known = new Map<string, Promise<string | null>>();
  return ({ project, projectKey }) => {
    const key = JSON.stringify([project, projectKey]);
    const name =
      known.get(key) ?? projects.nameOfRow(sql, { project, projectKey }).then((found) => found ?? null);
    known.set(key, name);
    return name;
  };
}

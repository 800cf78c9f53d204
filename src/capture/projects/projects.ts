import type { Sql } from "../../store/sql.ts";
import { lastSegment, projectNaming } from "./project-name.ts";

/**
 * The hidden keys under which rows of a project are kept and found, so that an absolute path and the name of
 * its last folder are the same project, while two checkouts with the same folder name stay apart.
 */
export class Projects {
  readonly #userHome: string;

  constructor(userHome: string) {
    this.#userHome = userHome;
  }

  /** The key under which a row is written; learns the alias that the naming teaches. */
  async writeKey(sql: Sql, project: string, cwd?: string): Promise<string> {
    const { form, alias } = projectNaming(project, cwd, this.#userHome);
    if (alias !== undefined) {
      await sql.run("INSERT INTO project_aliases (name, path) VALUES (?, ?) ON CONFLICT DO NOTHING", [
        alias.name,
        alias.path,
      ]);
    }
    if (form.kind === "path") return form.path;
    const paths = await pathsOf(sql, form.name);
    const [only] = paths;
    return only !== undefined && paths.length === 1 ? only : form.name;
  }

  /** All keys under which rows of the project may have been written. */
  async readKeys(sql: Sql, project: string, cwd?: string): Promise<string[]> {
    const { form } = projectNaming(project, cwd, this.#userHome);
    if (form.kind === "name") return [form.name, ...(await pathsOf(sql, form.name))];
    const name = lastSegment(form.path);
    const others = (await pathsOf(sql, name)).filter((path) => path !== form.path);
    return others.length === 0 ? [form.path, name] : [form.path];
  }
}

async function pathsOf(sql: Sql, name: string): Promise<string[]> {
  const rows = await sql.all<{ path: string }>(
    "SELECT path FROM project_aliases WHERE name = ? ORDER BY path LIMIT 1000",
    [name],
  );
  return rows.map(({ path }) => path);
}

import { lastSegment } from "../../paths/path-text.ts";
import { linkTo, mainFolderOfCopy, projectFolderOf } from "../../paths/project-folder.ts";
import { firstColumn, firstRow, hasRow, type Sql } from "../../store/sql.ts";
import { type Alias, type ProjectForm, type ProjectNaming, projectNaming } from "./project-name.ts";

/** The project columns of a row. */
export interface ProjectFields {
  readonly project: string | null;
  readonly projectKey: string | null;
}

/**
 * Maps project names to the keys under which rows are stored and found, so that an absolute path and the name
 * of its last folder are the same project, while two checkouts with the same folder name are kept apart.
 */
export class Projects {
  readonly #userHome: string;

  constructor(userHome: string) {
    this.#userHome = userHome;
  }

  /** The key under which a row is written; stores the alias that follows from the naming. */
  async writeKey(sql: Sql, project: string, cwd?: string): Promise<string> {
    const { form, alias } = this.#naming(project, cwd);
    await learnAlias(sql, alias);
    if (form.kind === "path" && cwd !== undefined) await this.#joinLink(sql, form.path, cwd);
    return keyOf(sql, form);
  }

  /** The project columns for a row of a project, or of none. */
  async fieldsOf(sql: Sql, project: string | undefined): Promise<ProjectFields> {
    if (project === undefined) return { project: null, projectKey: null };
    return { project, projectKey: await this.writeKey(sql, project) };
  }

  /** The key that a row of the project would be written under now; stores no alias. */
  async presentKey(sql: Sql, project: string): Promise<string> {
    return keyOf(sql, this.#naming(project, undefined).form);
  }

  /** The same of a folder for itself, even if it is a copy of another project's. */
  async folderKey(sql: Sql, folder: string): Promise<string> {
    return keyOf(sql, projectNaming(folder, undefined, this.#userHome).form);
  }

  /** A name that leads to the key: the given one, or the path if two checkouts share that name. */
  async nameOf(sql: Sql, key: string, given: string | null): Promise<string> {
    return given !== null && (await this.presentKey(sql, given)) === key ? given : key;
  }

  /** The same for a stored row; undefined if it is of no project. */
  async nameOfRow(sql: Sql, { project, projectKey }: ProjectFields): Promise<string | undefined> {
    return projectKey === null ? undefined : this.nameOf(sql, projectKey, project);
  }

  /** Stores the alias that follows from a request for known rows. */
  async learn(sql: Sql, project: string, cwd: string): Promise<void> {
    await learnAlias(sql, this.#naming(project, cwd).alias);
  }

  /**
   * All keys under which rows of the project may have been written; undefined, meaning no restriction,
   * without a project.
   */
  readKeys(sql: Sql, project: string, cwd?: string): Promise<string[]>;
  readKeys(sql: Sql, project: string | undefined, cwd?: string): Promise<string[] | undefined>;
  async readKeys(sql: Sql, project: string | undefined, cwd?: string): Promise<string[] | undefined> {
    if (project === undefined) return undefined;
    const { form, copy } = this.#naming(project, cwd);
    return [...new Set([...(await keysOf(sql, form)), ...(copy === undefined ? [] : [copy])])];
  }

  /**
   * The same for deleting: a copy of a repository, which is soon removed, does not stand for the project of the main one.
   */
  ownKeys(sql: Sql, project: string): Promise<string[]>;
  ownKeys(sql: Sql, project: string | undefined): Promise<string[] | undefined>;
  async ownKeys(sql: Sql, project: string | undefined): Promise<string[] | undefined> {
    return project === undefined
      ? undefined
      : keysOf(sql, projectNaming(project, undefined, this.#userHome).form);
  }

  /**
   * Which of several folders is meant by a project's bare name: the one of that name that contains the
   * working folder, if it is a project. Undefined when the name is not ambiguous.
   */
  async folderMeant(sql: Sql, project: string, cwd: string | undefined): Promise<string | undefined> {
    if (cwd === undefined) return undefined;
    const { form } = projectNaming(project, cwd, this.#userHome);
    if (form.kind === "name" || this.folder(project) !== undefined) return undefined;
    const paths = await pathsOf(sql, lastSegment(form.path));
    const key = await keyOf(sql, form);
    if (!paths.some((path) => path !== key)) return undefined;
    return paths.includes(key) || projectFolderOf(cwd) === form.path ? form.path : undefined;
  }

  /** The folders that share a bare name, if there are several; empty for a path. */
  async sharing(sql: Sql, project: string): Promise<string[]> {
    const { form } = projectNaming(project, undefined, this.#userHome);
    const paths = form.kind === "name" ? await pathsOf(sql, form.name) : [];
    return paths.length > 1 ? paths : [];
  }

  /**
   * The known project to which work in a project's folder belongs, as hooks report it, where that is not the project
   * itself: the top of the repository in which it is a folder.
   */
  async enclosing(sql: Sql, project: string): Promise<string | undefined> {
    const { form } = this.#naming(project, undefined);
    if (form.kind === "name") return undefined;
    const top = this.folder(projectFolderOf(form.path));
    if (top === undefined) return undefined;
    const [own, outer] = [await keyOf(sql, form), await keyOf(sql, { kind: "path", path: top })];
    const isKnown = "SELECT 1 FROM project_aliases WHERE path = ? LIMIT 1";
    return own !== outer && (await hasRow(sql, isKnown, [outer])) ? outer : undefined;
  }

  /** The folder of a path in its normalized form; undefined for a text that is no path. */
  folder(path: string): string | undefined {
    const { form } = projectNaming(path, undefined, this.#userHome);
    return form.kind === "path" ? form.path : undefined;
  }

  /**
   * The innermost known project folder, except the user's home, that contains a file; undefined for none, and
   * for a relative path.
   */
  async holding(sql: Sql, file: string): Promise<string | undefined> {
    const path = this.folder(file);
    if (path === undefined) return undefined;
    const row = await firstRow<{ path: string }>(
      sql,
      `SELECT path FROM project_aliases WHERE substr(?1, 1, length(path) + 1) = path || '/' AND path <> ?2
       ORDER BY length(path) DESC LIMIT 1`,
      [path, this.folder(this.#userHome) ?? ""],
    );
    return row?.path;
  }

  /**
   * The naming of a project, where one more working copy of a repository (a linked working tree of git) stands for the
   * project of the main one, to which the work that hooks report from it belongs. `copy`: the folder of that copy.
   */
  #naming(project: string, cwd: string | undefined): ProjectNaming & { readonly copy?: string } {
    const naming = projectNaming(project, cwd, this.#userHome);
    const { form, alias } = naming;
    const main = form.kind === "path" ? mainFolderOfCopy(form.path) : undefined;
    if (form.kind !== "path" || main === undefined) return naming;
    const { form: ofMain } = projectNaming(main, undefined, this.#userHome);
    if (ofMain.kind !== "path") return naming;
    const { path } = ofMain;
    return {
      form: ofMain,
      alias: alias === undefined ? undefined : { ...alias, path },
      copy: form.path,
    };
  }

  /**
   * Joins rows that were stored under a symbolic link to the project, when the link counted as a folder of
   * its own.
   */
  async #joinLink(sql: Sql, project: string, cwd: string): Promise<void> {
    const link = linkTo(project, cwd);
    if (link === undefined || (await pathsOf(sql, link)).length > 0) return;
    const key = await keyOf(sql, { kind: "path", path: project });
    if (key === link) return;
    await sql.run("UPDATE OR REPLACE project_aliases SET path = ? WHERE path = ?", [key, link]);
    await learnAlias(sql, { name: link, path: key });
  }
}

/** Stores an alias of a folder, or of the project that this folder belongs to by now (see keyOf). */
async function learnAlias(sql: Sql, alias: Alias | undefined): Promise<void> {
  if (alias === undefined) return;
  await sql.run(
    `INSERT INTO project_aliases (name, path)
       SELECT ?1, iif(count(*) = 1, min(path), ?2) FROM project_aliases WHERE name = ?2 ON CONFLICT DO NOTHING`,
    [alias.name, alias.path],
  );
}

/** The key for a name or folder. A former folder of a project is an alias, just like a name. */
async function keyOf(sql: Sql, form: ProjectForm): Promise<string> {
  const named = form.kind === "path" ? form.path : form.name;
  const paths = await pathsOf(sql, named);
  const [only] = paths;
  return only !== undefined && paths.length === 1 ? only : named;
}

/** All keys under which rows of a project may have been written. */
async function keysOf(sql: Sql, form: ProjectForm): Promise<string[]> {
  if (form.kind === "name") {
    const paths = await pathsOf(sql, form.name);
    return [form.name, ...paths, ...(await foldersOf(sql, paths))];
  }
  const key = await keyOf(sql, form);
  const folders = [key, ...(await foldersOf(sql, [key]))];
  const names: string[] = [];
  for (const name of new Set(folders.map(lastSegment))) {
    const others = (await pathsOf(sql, name)).filter((path) => path !== key);
    if (others.length === 0) names.push(name);
  }
  return [...folders, ...names];
}

/** The folders that are aliases of one of these. */
async function foldersOf(sql: Sql, paths: readonly string[]): Promise<string[]> {
  return firstColumn(
    sql,
    `SELECT name FROM project_aliases WHERE path IN (SELECT value FROM json_each(?)) AND name <> path
       AND (name LIKE '/%' OR name GLOB '[a-z]:*') ORDER BY name LIMIT 1000`,
    [JSON.stringify(paths)],
  );
}

async function pathsOf(sql: Sql, name: string): Promise<string[]> {
  return firstColumn(sql, "SELECT path FROM project_aliases WHERE name = ? ORDER BY path LIMIT 1000", [name]);
}

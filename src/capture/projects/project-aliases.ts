import { groupBy } from "../../group-by.ts";
import { isAbsolute } from "../../paths/path-text.ts";
import type { Sql } from "../../store/sql.ts";
import type { Alias } from "./project-name.ts";
import type { ProjectPlace } from "./record.ts";

/** All known aliases. */
interface ProjectAliases {
  /** The key that a name or folder leads to; itself if it is no alias or an ambiguous one. */
  keyOf(named: string): string;
  of(key: string): ProjectPlace;
}

export async function readProjectAliases(sql: Sql): Promise<ProjectAliases> {
  const aliases = await sql.all<Alias>("SELECT name, path FROM project_aliases ORDER BY name, path");
  const byName = groupBy(aliases, ({ name }) => name);
  const byPath = groupBy(aliases, ({ path }) => path);
  const keyOf = (named: string): string => {
    const [only, another] = byName.get(named) ?? [];
    return only === undefined || another !== undefined ? named : only.path;
  };
  return {
    keyOf,
    of: (key) => {
      const own = (byPath.get(key) ?? [])
        .map(({ name }) => name)
        .filter((name) => name !== key && keyOf(name) === key);
      return {
        project: key,
        folders: own.filter(isAbsolute),
        names: own.filter((name) => !isAbsolute(name)),
      };
    },
  };
}

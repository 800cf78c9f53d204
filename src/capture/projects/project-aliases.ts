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
  const paths = new Map<string, string[]>();
  const names = new Map<string, string[]>();
  for (const { name, path } of aliases) {
    paths.set(name, [...(paths.get(name) ?? []), path]);
    if (name !== path) names.set(path, [...(names.get(path) ?? []), name]);
  }
  const keyOf = (named: string): string => {
    const known = paths.get(named) ?? [];
    return known.length === 1 ? (known[0] ?? named) : named;
  };
  return {
    keyOf,
    of: (key) => {
      const own = (names.get(key) ?? []).filter((name) => keyOf(name) === key);
      return {
        project: key,
        folders: own.filter(isAbsolute),
        names: own.filter((name) => !isAbsolute(name)),
      };
    },
  };
}

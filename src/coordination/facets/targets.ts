import { hasRow, type Sql } from "../../store/sql.ts";
import { FacetTarget } from "./record.ts";

/** Where the records stand that may bear facets. */
const tables: Readonly<Record<FacetTarget, string>> = {
  action: "actions",
  memory: "memories",
  observation: "observations",
};

/** The kind of a record: the one that is asked for, else the first under which the id is known. Undefined: there is none. */
export async function targetTypeOf(
  sql: Sql,
  id: string,
  asked: FacetTarget | undefined,
): Promise<FacetTarget | undefined> {
  for (const type of asked === undefined ? FacetTarget.options : [asked]) {
    if (await hasRow(sql, `SELECT 1 FROM ${tables[type]} WHERE id = ?`, [id])) return type;
  }
  return undefined;
}

/** A condition on a row of `facets`: that its target is gone. */
export const targetIsGone = FacetTarget.options
  .map(
    (type) =>
      `(target_type = '${type}' AND NOT EXISTS (SELECT 1 FROM ${tables[type]} WHERE id = facets.target_id))`,
  )
  .join(" OR ");

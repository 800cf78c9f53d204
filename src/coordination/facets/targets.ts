import { hasRow, type Sql } from "../../store/sql.ts";
import { FacetTarget } from "./record.ts";

/** The tables of the records that may bear facets. */
const tables: Readonly<Record<FacetTarget, string>> = {
  action: "actions",
  memory: "memories",
  observation: "observations",
};

/**
 * The type of a record: the requested one, else the first type whose table has the id. Undefined when the
 * record does not exist.
 */
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

/** SQL condition on a row of `facets`: its record no longer exists. */
export const targetIsGone = FacetTarget.options
  .map(
    (type) =>
      `(target_type = '${type}' AND NOT EXISTS (SELECT 1 FROM ${tables[type]} WHERE id = facets.target_id))`,
  )
  .join(" OR ");

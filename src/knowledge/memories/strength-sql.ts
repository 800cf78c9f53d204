import { type SQL, sql } from "drizzle-orm";
import { strengthSql } from "./strength.ts";

/** `strengthAt` of a row, to filter and sort by. */
export function strengthExpression(now: number): SQL {
  const [before, after] = strengthSql("?").split("?");
  return sql`${sql.raw(before ?? "")}${now}${sql.raw(after ?? "")}`;
}

/** `shownStrength` of a row. */
export function shownStrengthExpression(now: number): SQL {
  return sql`round(${strengthExpression(now)}, 4)`;
}

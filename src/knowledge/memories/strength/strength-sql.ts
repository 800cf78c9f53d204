import { type SQL, sql } from "drizzle-orm";
import { strengthSql } from "./strength.ts";

/** `strengthAt` as an SQL expression, to filter and sort by. */
export function strengthExpression(now: number): SQL {
  const [before, after] = strengthSql("?").split("?");
  return sql`${sql.raw(before ?? "")}${now}${sql.raw(after ?? "")}`;
}

/** `shownStrength` as an SQL expression. */
export function shownStrengthExpression(now: number): SQL {
  return sql`round(${strengthExpression(now)}, 4)`;
}

import { type SQL, sql } from "drizzle-orm";
import { strengthText } from "./strength.ts";

/** `strengthAt` of a row, to filter and sort by. */
export function strengthNow(now: number): SQL {
  const [before, after] = strengthText("?").split("?");
  return sql`${sql.raw(before ?? "")}${now}${sql.raw(after ?? "")}`;
}

/** `shownStrength` of a row. */
export function shownStrengthNow(now: number): SQL {
  return sql`round(${strengthNow(now)}, 4)`;
}

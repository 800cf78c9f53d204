import { and, desc, eq, gte } from "drizzle-orm";
import { type View, viewOrNoProjectCondition } from "../../capture/sessions/view.ts";
import { newestFirst } from "../../store/page.ts";
import type { Connection } from "../../store/store.ts";
import { isLive } from "./live-sql.ts";
import { strengthExpression } from "./strength/strength-sql.ts";
import { memories } from "./tables.ts";
import { fullTitles } from "./titles/present-titles.ts";

interface Preference {
  readonly id: string;
  /** The title; if it is the cut beginning of the content, more of the same line. */
  readonly text: string;
  readonly recallCount: number;
}

/** Latest preferences of at least this strength, strongest first, of the view's projects or of none. */
export async function strongPreferences(
  { orm, sql }: Connection,
  view: View,
  strength: number,
  now: number,
  limit: number,
): Promise<Preference[]> {
  const rows = await orm
    .select({ id: memories.id, recallCount: memories.recallCount })
    .from(memories)
    .where(
      and(
        eq(memories.type, "preference"),
        isLive(now),
        viewOrNoProjectCondition(view, memories),
        gte(strengthExpression(now), strength),
      ),
    )
    .orderBy(desc(strengthExpression(now)), ...newestFirst(memories))
    .limit(limit);
  const ids = rows.map(({ id }) => id);
  const titles = await fullTitles(sql, ids);
  return rows.flatMap((row) => {
    const text = titles.get(row.id);
    return text === undefined ? [] : [{ ...row, text }];
  });
}

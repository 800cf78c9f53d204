import type { Paging } from "../../store/page.ts";
import { firstNumber, type Sql } from "../../store/sql.ts";
import { type FacetTarget, type Label, labelText } from "./record.ts";

export interface FacetQuery extends Paging {
  readonly matchAll: readonly Label[];
  readonly matchAny: readonly Label[];
  readonly targetType?: FacetTarget | undefined;
}

export interface FacetMatch {
  readonly targetId: string;
  readonly targetType: FacetTarget;
  /** The requested labels that the record bears, in the order of the request. */
  readonly matchedFacets: string[];
}

/**
 * A record bears a label at most once, so it bears all requested labels if as many match as were requested.
 */
const matches = `SELECT target_id, target_type, max(created_at) AS matched_at,
    json_group_array(asked.position) AS positions
  FROM (SELECT value ->> 'dimension' AS dimension, value ->> 'value' AS value, value ->> 'all' AS in_all,
      value ->> 'any' AS in_any, key AS position FROM json_each(?1)) AS asked
    CROSS JOIN facets ON facets.dimension = asked.dimension AND facets.value = asked.value
  WHERE ?2 IS NULL OR target_type = ?2
  GROUP BY target_id, target_type
  HAVING sum(in_all) = ?3 AND (?4 = 0 OR sum(in_any) > 0)`;

/**
 * The records that bear all labels of `matchAll` and, if `matchAny` is not empty, at least one of those. The
 * record that was labelled last comes first.
 */
export async function queryFacets(
  sql: Sql,
  { matchAll, matchAny, targetType, limit, offset }: FacetQuery,
): Promise<{ results: FacetMatch[]; total: number }> {
  const all = byText(matchAll);
  const any = byText(matchAny);
  const asked = [...new Map([...all, ...any])];
  const labels = asked.map(([text, label]) => ({
    ...label,
    all: Number(all.has(text)),
    any: Number(any.has(text)),
  }));
  const args = [JSON.stringify(labels), targetType ?? null, all.size, any.size];
  const rows = await sql.all<{ targetId: string; targetType: FacetTarget; positions: string }>(
    `SELECT target_id AS targetId, target_type AS targetType, positions FROM (${matches})
     ORDER BY matched_at DESC, target_id DESC LIMIT ?5 OFFSET ?6`,
    [...args, limit, offset],
  );
  return {
    results: rows.map(({ positions, ...target }) => ({
      ...target,
      matchedFacets: (JSON.parse(positions) as number[])
        .sort((a, b) => a - b)
        .flatMap((position) => asked[position]?.[0] ?? []),
    })),
    total: await firstNumber(sql, `SELECT count(*) FROM (${matches})`, args),
  };
}

/** Labels by their texts, each once. */
function byText(labels: readonly Label[]): Map<string, Label> {
  return new Map(labels.map((label) => [labelText(label), label]));
}

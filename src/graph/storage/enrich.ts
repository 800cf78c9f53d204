import { changedAtSql } from "../../store/changed-at.ts";
import { objectIn, textsIn } from "../../store/json-columns.ts";
import type { Sql } from "../../store/sql.ts";
import { mostAliases, unitedProperties } from "../kept-of-things.ts";
import { type LayerOrigin, outrankedBy } from "../record.ts";
import type { DraftedEdge, NodeGroup } from "./group-nodes.ts";
import { insertNames } from "./name-index.ts";
import { identityOf } from "./names.ts";

interface StoredNode {
  readonly key: number;
  readonly name: string;
  readonly aliases: string;
  readonly properties: string;
  readonly origin: LayerOrigin;
  readonly stale: number;
}

/** Adds the names and properties of found nodes to the stored ones. Returns the keys of those that changed. */
export async function enrichNodes(
  sql: Sql,
  now: number,
  origin: LayerOrigin,
  found: readonly NodeGroup[],
): Promise<Set<number>> {
  const changed = new Set<number>();
  if (found.length === 0) return changed;
  const rows = await sql.all<StoredNode>(
    `SELECT key, name, aliases, properties, origin, stale FROM graph_nodes
     WHERE key IN (SELECT value FROM json_each(?))`,
    [JSON.stringify(found.map(({ key }) => key))],
  );
  const stored = new Map(rows.map((row) => [row.key, row]));
  for (const group of found) {
    const row = stored.get(group.key);
    if (row === undefined) continue;
    const aliases = textsIn(row.aliases);
    const properties = objectIn(row.properties);
    const known = new Set([row.name, ...aliases].map((name) => identityOf(group.type, name)));
    const more = group.names
      .filter((name) => !known.has(identityOf(group.type, name)))
      .slice(0, Math.max(0, mostAliases - aliases.length));
    const united = unitedProperties(properties, group.properties);
    const grown = Object.keys(united).length > Object.keys(properties).length;
    const raised = outrankedBy(origin).includes(row.origin);
    if (more.length === 0 && !grown && !raised && row.stale === 0) continue;
    await sql.run(
      `UPDATE graph_nodes SET aliases = ?1, properties = ?2, origin = ?3, stale = 0, updated_at = ${changedAtSql("?4")}
       WHERE key = ?5`,
      [
        JSON.stringify([...aliases, ...more]),
        grown ? JSON.stringify(united) : row.properties,
        raised ? origin : row.origin,
        now,
        group.key,
      ],
    );
    await insertNames(
      sql,
      more.map((name) => ({ ...group, node: group.key, name })),
    );
    changed.add(group.key);
  }
  return changed;
}

/** Gives stored edges the larger weight, and properties where they had none. Returns the keys of those that changed. */
export async function enrichEdges(
  sql: Sql,
  now: number,
  origin: LayerOrigin,
  found: readonly Pick<DraftedEdge, "key" | "weight" | "properties">[],
): Promise<Set<number>> {
  const changed = new Set<number>();
  const outranked = JSON.stringify(outrankedBy(origin));
  for (const { key, weight, properties } of found) {
    const { changes } = await sql.run(
      `UPDATE graph_edges SET given_weight = max(coalesce(given_weight, 0), ?2),
         properties = coalesce(properties, ?3), stale = 0, updated_at = ${changedAtSql("?4")},
         origin = CASE WHEN origin IN (SELECT value FROM json_each(?5)) THEN ?6 ELSE origin END
       WHERE key = ?1 AND (coalesce(given_weight, 0) < ?2 OR (properties IS NULL AND ?3 IS NOT NULL) OR stale = 1
         OR origin IN (SELECT value FROM json_each(?5)))`,
      [
        key,
        weight ?? 0,
        properties === undefined ? null : JSON.stringify(properties),
        now,
        outranked,
        origin,
      ],
    );
    if (changes > 0) changed.add(key);
  }
  return changed;
}

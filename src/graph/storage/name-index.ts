import { bulkInsert } from "../../store/bulk-insert.ts";
import { listedColumns, type Sql } from "../../store/sql.ts";
import type { NodeType } from "../record.ts";
import { foldedName, identityOf, wordsOf } from "./names.ts";

interface NodeName {
  readonly projectKey: string | null;
  readonly node: number;
  readonly type: NodeType;
  readonly name: string;
}

/** Indexes the names of new nodes, none of which is in the index yet, and their words. */
export async function insertNewNames(sql: Sql, names: readonly NodeName[]): Promise<void> {
  await insertFreshNames(
    sql,
    names.map((name) => [...nameKey(name), name.node]),
  );
  const words = new Map(names.flatMap(wordKeys).map((key) => [key.join("\n"), key]));
  await insertFreshWords(sql, [...words.values()]);
}

const insertFreshNames = bulkInsert(
  "INSERT OR FAIL INTO graph_names (folded, type, project_key, identity, node)",
  "(?, ?, ?, ?, ?)",
);
const insertFreshWords = bulkInsert(
  "INSERT OR FAIL INTO graph_name_words (word, project_key, node)",
  "(?, ?, ?)",
);

/** Like insertNewNames, for stored nodes, whose names and words may be in the index already. */
export async function insertNames(sql: Sql, names: readonly NodeName[]): Promise<void> {
  if (names.length === 0) return;
  await sql.run(
    `INSERT OR IGNORE INTO graph_names (folded, type, project_key, identity, node)
     SELECT ${listedColumns(5)} FROM json_each(?1)`,
    [JSON.stringify(names.map((name) => [...nameKey(name), name.node]))],
  );
  await sql.run(
    `INSERT OR IGNORE INTO graph_name_words (word, project_key, node) SELECT ${listedColumns(3)} FROM json_each(?1)`,
    [JSON.stringify(names.flatMap(wordKeys))],
  );
}

/** Removes names of nodes from the index. */
export async function removeNames(sql: Sql, names: readonly NodeName[]): Promise<void> {
  await sql.run(
    `DELETE FROM graph_names WHERE (folded, type, project_key, identity) IN
       (SELECT ${listedColumns(4)} FROM json_each(?1))`,
    [JSON.stringify(names.map(nameKey))],
  );
  await sql.run(
    `DELETE FROM graph_name_words WHERE (word, project_key, node) IN (SELECT ${listedColumns(3)} FROM json_each(?1))`,
    [JSON.stringify(names.flatMap(wordKeys))],
  );
}

function nameKey({ projectKey, type, name }: NodeName): string[] {
  return [foldedName(name), type, projectKey ?? "", identityOf(type, name)];
}

function wordKeys({ projectKey, node, name }: NodeName): [word: string, projectKey: string, node: number][] {
  return wordsOf(name).map((word) => [word, projectKey ?? "", node]);
}

import type { Sql } from "../../store/sql.ts";
import type { NodeType } from "../record.ts";
import { foldedName, identityOf, wordsOf } from "./names.ts";

interface NodeName {
  readonly node: number;
  readonly type: NodeType;
  readonly name: string;
}

/** Writes by what nodes are found: their names, and the words of these. */
export async function insertNames(
  sql: Sql,
  projectKey: string | null,
  names: readonly NodeName[],
): Promise<void> {
  if (names.length === 0) return;
  await sql.run(
    `INSERT OR IGNORE INTO graph_names (folded, type, project_key, identity, node)
     SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]'), ?2, json_extract(value, '$[2]'),
       json_extract(value, '$[3]') FROM json_each(?1)`,
    [
      JSON.stringify(
        names.map(({ node, type, name }) => [foldedName(name), type, identityOf(type, name), node]),
      ),
      projectKey ?? "",
    ],
  );
  await sql.run(
    `INSERT OR IGNORE INTO graph_name_words (word, project_key, node)
     SELECT json_extract(value, '$[0]'), ?2, json_extract(value, '$[1]') FROM json_each(?1)`,
    [
      JSON.stringify(names.flatMap(({ node, name }) => wordsOf(name).map((word) => [word, node]))),
      projectKey ?? "",
    ],
  );
}

/** Takes away by what a node was found. */
export async function removeNames(sql: Sql, projectKey: string, names: readonly NodeName[]): Promise<void> {
  await sql.run(
    `DELETE FROM graph_names WHERE (folded, type, project_key, identity) IN
       (SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]'), ?2, json_extract(value, '$[2]')
        FROM json_each(?1))`,
    [
      JSON.stringify(names.map(({ type, name }) => [foldedName(name), type, identityOf(type, name)])),
      projectKey,
    ],
  );
  await sql.run(
    `DELETE FROM graph_name_words WHERE (word, project_key, node) IN
       (SELECT json_extract(value, '$[0]'), ?2, json_extract(value, '$[1]') FROM json_each(?1))`,
    [
      JSON.stringify(names.flatMap(({ node, name }) => wordsOf(name).map((word) => [word, node]))),
      projectKey,
    ],
  );
}

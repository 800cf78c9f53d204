import type { ExportPage } from "../../governance/transfer/collection.ts";
import { readAhead } from "../../governance/transfer/read-ahead.ts";
import {
  joinedRecords,
  jsonMember,
  optionalJson,
  optionalText,
  pageFrom,
  type RecordMember,
  recordText,
  textMember,
  timeMembers,
  wordMember,
} from "../../governance/transfer/record-text.ts";
import type { Sql, SqlValue } from "../../store/sql.ts";
import type { RowCondition } from "../../store/table-rows.ts";
import { edgeWeight, shownWeight } from "../weight.ts";

/** Nodes as an export holds them, with what their project is kept under, the oldest first. */
export function nodePages(sql: Sql, only = every): AsyncGenerator<ExportPage> {
  return pagesOf(sql, statementsOf(nodeTable, only), only.args);
}

/** Edges as an export holds them, with what their weight is computed from, the oldest first. */
export function edgePages(sql: Sql, only = every): AsyncGenerator<ExportPage> {
  return pagesOf(sql, statementsOf(edgeTable, only), only.args);
}

const every: RowCondition = { text: "true", args: [] };

/** A row names all of its sources, and some rows are found everywhere: both bound a page. */
const mostRows = 500;
const mostSources = 4_000;

interface Statements {
  /** The key of the last of some rows, and how many sources they name. */
  readonly extent: string;
  /** Of the same rows the last one to which they name so many sources. */
  readonly earlierKey: string;
  readonly records: string;
}

async function* pagesOf(
  sql: Sql,
  statements: Statements,
  args: readonly SqlValue[],
): AsyncGenerator<ExportPage> {
  for await (const page of readAhead(readingsOf(sql, statements, args))) if (page !== undefined) yield page;
}

async function* readingsOf(
  sql: Sql,
  statements: Statements,
  args: readonly SqlValue[],
): AsyncGenerator<() => Promise<ExportPage | undefined>> {
  for (let after = 0; ; ) {
    const from = after;
    let [[last = null, sources = 0] = []] = await sql.values(statements.extent, [...args, from, mostRows]);
    if (Number(sources) > mostSources)
      [[last = null] = []] = await sql.values(statements.earlierKey, [...args, from, mostRows, mostSources]);
    if (last === null) return;
    const end = last;
    yield async () => {
      const [[records = null] = []] = await sql.values(statements.records, [...args, from, end]);
      return pageFrom(records);
    };
    after = Number(end);
  }
}

interface GraphTable {
  readonly name: string;
  readonly members: readonly RecordMember[];
  readonly joins: string;
}

/** The condition's arguments come first. */
function statementsOf({ name, members, joins }: GraphTable, only: RowCondition): Statements {
  const [first, second, third] = [1, 2, 3].map((place) => `?${only.args.length + place}`);
  const rows = `SELECT key, source_count FROM ${name} AS r WHERE r.key > ${first} AND ${only.text} ORDER BY key LIMIT ${second}`;
  return {
    extent: `SELECT max(key), sum(source_count) FROM (${rows})`,
    earlierKey: `SELECT max(key) FROM (SELECT key, source_count, sum(source_count) OVER (ORDER BY key) AS sources
      FROM (${rows})) WHERE sources - source_count <= ${third}`,
    records: `SELECT ${joinedRecords} FROM (SELECT ${recordText(members)} AS record
      FROM ${name} AS r ${joins} WHERE r.key > ${first} AND r.key <= ${second} AND ${only.text} ORDER BY r.key)`,
  };
}

/** All of them, where answers show the newest; most have one, which is found without a list. */
const refsOf = (what: "node" | "edge") => {
  const sources = `graph_${what}_links AS l CROSS JOIN graph_sources AS s ON s.key = l.source WHERE l.${what} = r.key`;
  return `CASE r.source_count WHEN 1 THEN coalesce((SELECT '[' || json_quote(s.ref) || ']' FROM ${sources}), '[]')
    ELSE (SELECT json_group_array(ref) FROM (SELECT s.ref FROM ${sources} ORDER BY l.source DESC)) END`;
};

const sharedMembers = (what: "node" | "edge"): readonly RecordMember[] => [
  jsonMember("sourceCount", "r.source_count"),
  wordMember("origin", "r.origin"),
  optionalJson("stale", "CASE r.stale WHEN 1 THEN 'true' END"),
  timeMembers("createdAt", "r.created_at", { name: "updatedAt", column: "r.updated_at" }),
  jsonMember("sourceObservationIds", refsOf(what)),
];

const nodeTable: GraphTable = {
  name: "graph_nodes",
  members: [
    textMember("id", "r.id"),
    wordMember("type", "r.type"),
    textMember("name", "r.name"),
    optionalText("project", "r.project"),
    optionalText("projectKey", "nullif(r.project_key, '')"),
    jsonMember("properties", "r.properties"),
    jsonMember("aliases", "r.aliases"),
    jsonMember("degree", "r.degree"),
    ...sharedMembers("node"),
  ],
  joins: "",
};

const edgeTable: GraphTable = {
  name: "graph_edges",
  members: [
    textMember("id", "r.id"),
    wordMember("type", "r.type"),
    textMember("sourceNodeId", "a.id"),
    textMember("targetNodeId", "b.id"),
    jsonMember("weight", weightSql()),
    optionalJson("properties", "r.properties"),
    jsonMember("structural", "CASE r.structural WHEN 1 THEN 'true' ELSE 'false' END"),
    // As many digits as tell one number from all others.
    optionalJson(
      "givenWeight",
      "CASE WHEN r.given_weight IS NOT NULL THEN format('%!.17g', r.given_weight) END",
    ),
    ...sharedMembers("edge"),
  ],
  joins: "CROSS JOIN graph_nodes AS a ON a.key = r.source CROSS JOIN graph_nodes AS b ON b.key = r.target",
};

/** What an edge weighs in answers; so many sources are as good as all. */
function weightSql(): string {
  const counted: string[] = [];
  for (let sourceCount = 1, weight = 0; weight < 1; sourceCount += 1) {
    weight = shownWeight(edgeWeight({ givenWeight: null, structural: 1, sourceCount }));
    counted.push(`WHEN ${sourceCount} THEN ${weight}`);
  }
  const byRules = `CASE r.structural WHEN 1 THEN CASE max(1, r.source_count) ${counted.join(" ")} ELSE 1 END ELSE 0 END`;
  return `CASE WHEN r.given_weight IS NULL THEN ${byRules}
    ELSE max(CAST(r.given_weight * 1e4 + 0.5 AS INTEGER) / 1e4, ${byRules}) END`;
}

import type { ExportPage, Reading } from "../../governance/transfer/collection.ts";
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
import type { ThingKind } from "../storage/thing-kind.ts";
import { edgeWeight, leastShownWeight, shownWeight } from "../weight.ts";

type Extent = Pick<Reading, "connection" | "only" | "mostNamed">;

/** Nodes as an export holds them, with the internal key of their project, oldest first. */
export function nodePages(extent: Extent): AsyncGenerator<ExportPage> {
  return pagesOf(nodeTable, extent);
}

/** Edges as an export holds them, with what their weight is computed from, oldest first. */
export function edgePages(extent: Extent): AsyncGenerator<ExportPage> {
  return pagesOf(edgeTable, extent);
}

const every: RowCondition = { text: "true", args: [] };

/** A page is bounded by rows and by the sources they name, because some rows have very many sources. */
const mostRows = 500;
const mostSources = 4_000;

/** Greater than any key of a source, and than any number of sources. */
const beyondAll = Number.MAX_SAFE_INTEGER;

interface Statements {
  /** For the next rows up to a limit: the key of the last, and how many sources they name together. */
  readonly extent: string;
  /** Key of the last of these rows before which the limit of sources is not exceeded: it ends the page. */
  readonly earlierKey: string;
  /** Records of the rows in a range of keys, each with its newest sources below a given key, up to a limit. */
  readonly records: string;
  /** The key of the source at which a record is full, and the next one if there is one. */
  readonly fullAt: string;
}

async function* pagesOf(
  table: GraphTable,
  { connection: { sql }, only = every, mostNamed }: Extent,
): AsyncGenerator<ExportPage> {
  const readings = readingsOf(sql, statementsOf(table, only), only.args, mostNamed);
  for await (const page of readAhead(readings)) if (page !== undefined) yield page;
}

async function* readingsOf(
  sql: Sql,
  statements: Statements,
  args: readonly SqlValue[],
  mostNamed: number | undefined,
): AsyncGenerator<() => Promise<ExportPage | undefined>> {
  const recordsOf = async (from: number, end: SqlValue, before: SqlValue) => {
    const given = [...args, from, end, before, mostNamed ?? beyondAll];
    const [[records = null] = []] = await sql.values(statements.records, given);
    return pageFrom(records);
  };
  const fillAPage = Math.min(mostSources, mostNamed ?? mostSources);
  for (let after = 0; ; ) {
    const from = after;
    let [[last = null, sources = 0] = []] = await sql.values(statements.extent, [...args, from, mostRows]);
    const isTooMuch = Number(sources) > fillAPage;
    if (isTooMuch)
      [[last = null] = []] = await sql.values(statements.earlierKey, [...args, from, mostRows, fillAPage]);
    if (last === null) return;
    after = Number(last);
    const end = after;
    yield () => recordsOf(from, end, beyondAll);
    if (mostNamed === undefined || !isTooMuch) continue;
    // Only the last row of a page can have more sources than one record holds; it gets further records.
    for await (const before of fullAt(sql, statements, end, mostNamed))
      yield () => recordsOf(end - 1, end, before);
  }
}

/** For each record of a row after its first: the source key below which its sources begin. */
async function* fullAt(
  sql: Sql,
  statements: Statements,
  key: number,
  mostNamed: number,
): AsyncGenerator<SqlValue> {
  for (let before: SqlValue = beyondAll; ; ) {
    const [full, more] = await sql.values(statements.fullAt, [key, before, mostNamed - 1]);
    const [at] = full ?? [];
    if (at === undefined || more === undefined) return;
    before = at;
    yield before;
  }
}

interface GraphTable {
  readonly name: string;
  readonly what: ThingKind;
  readonly members: readonly RecordMember[];
  readonly joins: string;
}

/** The arguments of `only` come before those of the statements. */
function statementsOf({ name, what, members, joins }: GraphTable, only: RowCondition): Statements {
  const [first, second, third, fourth] = [1, 2, 3, 4].map((place) => `?${only.args.length + place}`);
  const divided = optionalJson("divided", `CASE WHEN r.source_count > ${fourth} THEN 'true' END`);
  const refs = jsonMember("sourceObservationIds", refsOf(what, `${third}`, `${fourth}`));
  const rows = `SELECT key, source_count FROM ${name} AS r WHERE r.key > ${first} AND ${only.text} ORDER BY key LIMIT ${second}`;
  return {
    extent: `SELECT max(key), sum(source_count) FROM (${rows})`,
    earlierKey: `SELECT max(key) FROM (SELECT key, source_count, sum(source_count) OVER (ORDER BY key) AS sources
      FROM (${rows})) WHERE sources - source_count <= ${third}`,
    records: `SELECT ${joinedRecords} FROM (SELECT ${recordText([...members, divided, refs])} AS record
      FROM ${name} AS r ${joins} WHERE r.key > ${first} AND r.key <= ${second} AND ${only.text} ORDER BY r.key)`,
    fullAt: `SELECT source FROM graph_${what}_links WHERE ${what} = ?1 AND source < ?2
      ORDER BY source DESC LIMIT 2 OFFSET ?3`,
  };
}

/**
 * Ids of a row's sources: the newest ones, in the order of their ids, which an import keeps. Most rows have one, which
 * is read without building a list.
 */
function refsOf(what: ThingKind, before: string, most: string): string {
  const sources = `graph_${what}_links AS l CROSS JOIN graph_sources AS s ON s.key = l.source WHERE l.${what} = r.key`;
  return `CASE r.source_count WHEN 1 THEN coalesce((SELECT '[' || json_quote(s.ref) || ']' FROM ${sources}), '[]')
    ELSE (SELECT json_group_array(ref) FROM (SELECT ref FROM (SELECT s.ref FROM ${sources} AND l.source < ${before}
      ORDER BY l.source DESC LIMIT ${most}) ORDER BY ref)) END`;
}

const sharedMembers: readonly RecordMember[] = [
  jsonMember("sourceCount", "r.source_count"),
  wordMember("origin", "r.origin"),
  optionalJson("stale", "CASE r.stale WHEN 1 THEN 'true' END"),
  timeMembers("createdAt", "r.created_at", { name: "updatedAt", column: "r.updated_at" }),
];

const nodeTable: GraphTable = {
  name: "graph_nodes",
  what: "node",
  members: [
    textMember("id", "r.id"),
    wordMember("type", "r.type"),
    textMember("name", "r.name"),
    optionalText("project", "r.project"),
    optionalText("projectKey", "nullif(r.project_key, '')"),
    jsonMember("properties", "r.properties"),
    jsonMember("aliases", "r.aliases"),
    jsonMember("degree", "r.degree"),
    ...sharedMembers,
  ],
  joins: "",
};

const edgeTable: GraphTable = {
  name: "graph_edges",
  what: "edge",
  members: [
    textMember("id", "r.id"),
    wordMember("type", "r.type"),
    textMember("sourceNodeId", "a.id"),
    textMember("targetNodeId", "b.id"),
    jsonMember("weight", weightSql()),
    optionalJson("properties", "r.properties"),
    jsonMember("structural", "CASE r.structural WHEN 1 THEN 'true' ELSE 'false' END"),
    // 17 digits keep the exact value of a double.
    optionalJson(
      "givenWeight",
      "CASE WHEN r.given_weight IS NOT NULL THEN format('%!.17g', r.given_weight) END",
    ),
    ...sharedMembers,
  ],
  joins: "CROSS JOIN graph_nodes AS a ON a.key = r.source CROSS JOIN graph_nodes AS b ON b.key = r.target",
};

/** The weight of an edge as answers show it, as SQL: a table by number of sources, up to where it rounds to 1. */
function weightSql(): string {
  const counted: string[] = [];
  for (let sourceCount = 1, weight = 0; weight < 1; sourceCount += 1) {
    weight = shownWeight(edgeWeight({ givenWeight: null, structural: 1, sourceCount }));
    counted.push(`WHEN ${sourceCount} THEN ${weight}`);
  }
  const byRules = `CASE r.structural WHEN 1 THEN CASE max(1, r.source_count) ${counted.join(" ")} ELSE 1 END ELSE 0 END`;
  return `CASE WHEN r.given_weight IS NULL THEN ${byRules}
    ELSE max(CAST(r.given_weight * 1e4 + 0.5 AS INTEGER) / 1e4, ${byRules}, ${leastShownWeight}) END`;
}

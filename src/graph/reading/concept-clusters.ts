import type { AgentFilter } from "../../capture/sessions/agent-scope.ts";
import type { Sql } from "../../store/sql.ts";
import { walkBreadthFirst } from "./breadth-first.ts";
import { visibleTo } from "./visibility.ts";

const steps = 2;
const mostSeeds = 60;
const mostConcepts = 10;
/** Nodes of at least this degree are in the partial index `graph_nodes_busy`. */
const busy = 8;

interface Seed {
  readonly key: number;
  readonly name: string;
}

/**
 * Clusters of concepts of one project (null: of no project): the concepts of highest degree, each with those within
 * two steps of it. No concept is in two clusters, and no cluster has only one.
 */
export async function conceptClusters(
  sql: Sql,
  { projectKey, filter }: { readonly projectKey: string | null; readonly filter: AgentFilter },
): Promise<string[][]> {
  const seeds = await busiestConcepts(sql, projectKey ?? "", filter);
  const taken = new Set<number>();
  const clusters: string[][] = [];
  for (const { key } of seeds) {
    if (taken.has(key)) continue;
    const { visited } = await walkBreadthFirst(sql, key, steps, filter);
    const near = visited.filter((node) => node.type === "concept" && !taken.has(node.key));
    const cluster = await ofProject(
      sql,
      near.map((node) => node.key),
      projectKey ?? "",
    );
    if (cluster.length < 2) continue;
    for (const concept of cluster) taken.add(concept.key);
    clusters.push(cluster.map(({ name }) => name));
  }
  return clusters;
}

async function busiestConcepts(sql: Sql, projectKey: string, filter: AgentFilter): Promise<Seed[]> {
  const seen = visibleTo(filter, "node", "n.key");
  const of = (degrees: string) =>
    sql.all<Seed>(
      `SELECT n.key, n.name FROM graph_nodes AS n
       WHERE n.type = 'concept' AND n.project_key = ? AND n.stale = 0 AND ${degrees}${seen.text}
       ORDER BY n.degree DESC, n.name LIMIT ${mostSeeds}`,
      [projectKey, ...seen.args],
    );
  const busiest = await of(`n.degree >= ${busy}`);
  return busiest.length < mostSeeds ? of("n.degree > 0") : busiest;
}

/** Those of the nodes that belong to the project, in the order given, up to a limit. */
async function ofProject(sql: Sql, keys: readonly number[], projectKey: string): Promise<Seed[]> {
  return sql.all<Seed>(
    `SELECT n.key, n.name FROM json_each(?) AS k CROSS JOIN graph_nodes AS n ON n.key = k.value
     WHERE n.project_key = ? ORDER BY k.key LIMIT ${mostConcepts}`,
    [JSON.stringify(keys), projectKey],
  );
}

import { type AgentFilter, agentClause } from "../../../capture/sessions/agent-scope.ts";
import type { Sql } from "../../../store/sql.ts";
import { compareTexts } from "../../../text/compare-texts.ts";
import type { RelationType } from "./record.ts";

const mostVisited = 500;

interface Reached {
  readonly id: string;
  /** The number of relations on the shortest path. */
  readonly hop: number;
  /** The product of the confidences on the path; of several shortest paths the highest. */
  readonly confidence: number;
}

interface WalkOptions {
  readonly maxHops: number;
  readonly minConfidence: number;
  readonly type: RelationType | undefined;
  /** Memories that it hides are neither shown nor passed through. */
  readonly filter: AgentFilter;
}

/** The memories around one, by breadth-first search in both directions; at most 500. */
export async function walkRelations(sql: Sql, start: string, options: WalkOptions): Promise<Reached[]> {
  const seen = new Map<string, Reached>([[start, { id: start, hop: 0, confidence: 1 }]]);
  let edge = [...seen.values()];
  for (let hop = 1; hop <= options.maxHops && edge.length > 0; hop += 1) {
    const found = new Map<string, Reached>();
    for (const { id, from, confidence } of await stepsFrom(sql, edge, options)) {
      const product = (seen.get(from)?.confidence ?? 0) * confidence;
      if (seen.has(id) || product < options.minConfidence) continue;
      if (product > (found.get(id)?.confidence ?? -1)) found.set(id, { id, hop, confidence: product });
    }
    edge = [...found.values()]
      .sort((a, b) => b.confidence - a.confidence || compareTexts(b.id, a.id))
      .slice(0, mostVisited + 1 - seen.size);
    for (const reached of edge) seen.set(reached.id, reached);
  }
  return [...seen.values()].slice(1);
}

interface Step {
  readonly id: string;
  readonly from: string;
  readonly confidence: number;
}

async function stepsFrom(sql: Sql, edge: readonly Reached[], { filter, type }: WalkOptions): Promise<Step[]> {
  const agent = agentClause(filter, "memories.agent_id");
  return sql.all<Step>(
    `WITH edge(id) AS (SELECT value FROM json_each(?)),
       steps(id, source, confidence, type) AS (
         SELECT target_id, source_id, confidence, type FROM edge CROSS JOIN memory_relations ON source_id = edge.id
         UNION ALL
         SELECT source_id, target_id, confidence, type FROM edge CROSS JOIN memory_relations ON target_id = edge.id)
     SELECT steps.id, steps.source AS "from", confidence FROM steps JOIN memories ON memories.id = steps.id
     WHERE (?2 IS NULL OR steps.type = ?2)${agent.text}`,
    [JSON.stringify(edge.map(({ id }) => id)), type ?? null, ...agent.args],
  );
}

import type { SqlValue } from "../../src/store/sql.ts";
import type { TestHttp } from "../support/http.ts";

/** A reference: the column `by` of table `child` must name a row of table `parent`. */
interface Reference {
  readonly child: string;
  readonly by: string;
  readonly parent: string;
  readonly key?: string;
  readonly if?: string;
}

const ofObservation = { parent: "observations" } as const;
const references: readonly Reference[] = [
  { child: "observations", by: "session_id", parent: "sessions" },
  { child: "raw_events", by: "observation_id", ...ofObservation },
  { child: "pending_compressions", by: "observation_id", ...ofObservation },
  { child: "image_links", by: "observation_id", ...ofObservation },
  { child: "image_pins", by: "ref", parent: "images", key: "ref" },
  { child: "image_vectors", by: "ref", parent: "images", key: "ref" },
  { child: "session_summaries", by: "session_id", parent: "sessions" },
  { child: "commit_sessions", by: "sha", parent: "commits", key: "sha" },
  { child: "memory_relations", by: "source_id", parent: "memories" },
  { child: "memory_relations", by: "target_id", parent: "memories" },
  { child: "facets", by: "target_id", parent: "memories", if: "c.target_type = 'memory'" },
  { child: "facets", by: "target_id", parent: "actions", if: "c.target_type = 'action'" },
  { child: "facets", by: "target_id", parent: "observations", if: "c.target_type = 'observation'" },
  { child: "action_edges", by: "source_action_id", parent: "actions" },
  {
    child: "action_edges",
    by: "target_action_id",
    parent: "actions",
    if: "c.type NOT IN ('gated_by', 'requires')",
  },
  { child: "actions", by: "parent_id", parent: "actions", if: "c.parent_id IS NOT NULL" },
  { child: "actions", by: "sketch_id", parent: "sketches", if: "c.sketch_id IS NOT NULL" },
  { child: "actions", by: "crystallized_into", parent: "crystals", if: "c.crystallized_into IS NOT NULL" },
  { child: "leases", by: "action_id", parent: "actions" },
  { child: "signal_receipts", by: "signal_id", parent: "signals" },
  { child: "document_vectors", by: "document_id", parent: "documents" },
  { child: "vector_codes", by: "document_id", parent: "documents" },
  { child: "pending_vectors", by: "document_id", parent: "documents" },
  { child: "documents_fts_docsize", by: "id", parent: "documents" },
  { child: "documents", by: "ref", parent: "observations", if: "c.kind = 'observation'" },
  { child: "documents", by: "ref", parent: "memories", if: "c.kind = 'memory'" },
  { child: "documents", by: "ref", parent: "lessons", if: "c.kind = 'lesson'" },
  { child: "documents", by: "ref", parent: "insights", if: "c.kind = 'insight'" },
  { child: "documents", by: "ref", parent: "crystals", if: "c.kind = 'crystal'" },
  { child: "graph_sources", by: "ref", parent: "observations", if: "c.kind = 'observation'" },
  { child: "graph_sources", by: "ref", parent: "memories", if: "c.kind = 'memory'" },
  { child: "graph_pending", by: "ref", parent: "observations", if: "c.kind = 'observation'" },
  { child: "graph_pending", by: "ref", parent: "memories", if: "c.kind = 'memory'" },
  { child: "graph_node_links", by: "node", parent: "graph_nodes", key: "key" },
  { child: "graph_node_links", by: "source", parent: "graph_sources", key: "key" },
  { child: "graph_edge_links", by: "edge", parent: "graph_edges", key: "key" },
  { child: "graph_edge_links", by: "source", parent: "graph_sources", key: "key" },
  { child: "graph_edges", by: "source", parent: "graph_nodes", key: "key" },
  { child: "graph_edges", by: "target", parent: "graph_nodes", key: "key" },
  { child: "graph_names", by: "node", parent: "graph_nodes", key: "key" },
  { child: "graph_name_words", by: "node", parent: "graph_nodes", key: "key" },
];

/** Broken references, with the number of rows for each. */
export async function orphansOf(http: Pick<TestHttp, "core">): Promise<string[]> {
  const { sql } = http.core.ground.store.read;
  const found: string[] = [];
  const note = async (what: string, query: string) => {
    const rows: SqlValue[][] = await sql.values(query);
    if (rows.length > 0) found.push(`${rows.length} ${what}: ${rows.slice(0, 3).flat().join(", ")}`);
  };
  for (const { child, by, parent, key = "id", if: only = "true" } of references)
    await note(
      `${child}.${by} without ${parent} (${only})`,
      `SELECT c.${by} FROM ${child} AS c WHERE ${only} AND NOT EXISTS (SELECT 1 FROM ${parent} AS p WHERE p.${key} = c.${by})`,
    );
  await note(
    "memories.related_ids without memories",
    "SELECT value FROM memories, json_each(related_ids) WHERE value NOT IN (SELECT id FROM memories)",
  );
  await note(
    "access_logs of nothing",
    `SELECT memory_id FROM access_logs WHERE memory_id NOT IN (SELECT id FROM memories UNION SELECT id FROM observations)`,
  );
  await note(
    "fts rows missing",
    "SELECT id FROM documents WHERE id NOT IN (SELECT id FROM documents_fts_docsize)",
  );
  await note(
    "wrong counts",
    "SELECT id FROM sessions WHERE observation_count <> (SELECT count(*) FROM observations WHERE session_id = sessions.id)",
  );
  return found;
}

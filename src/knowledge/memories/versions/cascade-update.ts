import type { ScopeRequest } from "../../../capture/sessions/agent-scope.ts";
import type { Cascaded } from "../../../graph/answers.ts";
import { graphSettled } from "../../../graph/structural/settled.ts";
import { markStale } from "../../../graph/upkeep/cascade.ts";
import type { Ground } from "../../../ground.ts";
import { MemsvcError } from "../../../operation/errors.ts";
import type { Memories, MemoryServices } from "../memories.ts";
import { siblingsOf } from "./siblings.ts";

export interface CascadeInput extends ScopeRequest {
  readonly supersededMemoryId: string;
}

const mostIds = 200;

/**
 * Marks as stale the graph elements that models made from a superseded memory's sources alone, and returns
 * related memories that may need a review. Errors: not_found; conflict while the memory is the latest
 * version.
 */
export async function cascadeUpdate(
  ground: Ground,
  services: MemoryServices & { readonly memories: Memories },
  input: CascadeInput,
): Promise<Cascaded> {
  await graphSettled(ground);
  return ground.store.write(async (tx) => {
    const filter = await services.agents.reader(tx.sql, input);
    const row = await services.memories.visible(tx, input.supersededMemoryId, filter);
    if (row.isLatest) {
      throw new MemsvcError("conflict", `memory ${row.id} is the latest version; nothing has superseded it`, {
        hint: `give it a new version first: memsvc evolve ${row.id} <text>`,
      });
    }
    const { nodes, edges } = await markStale(tx.sql, [row.id, ...row.sourceObservationIds], ground.now());
    const isRepeat = await services.audit.hasEntryFor(tx, { operation: "cascade_update", targetId: row.id });
    const memories = isRepeat ? [] : await siblingsOf(tx.sql, row, filter);
    const flagged = { nodes: nodes.length, edges: edges.length, siblingMemories: memories.length };
    const total = nodes.length + edges.length + memories.length;
    if (total > 0) {
      await services.audit.record(tx, {
        operation: "cascade_update",
        functionId: "memory.cascade",
        targetIds: [row.id, ...nodes, ...edges],
        details: flagged,
        agentId: await services.agents.writer(tx.sql, input),
      });
    }
    return {
      flagged,
      total,
      ids: {
        nodes: nodes.slice(0, mostIds),
        edges: edges.slice(0, mostIds),
        memories: memories.slice(0, mostIds),
      },
    };
  });
}

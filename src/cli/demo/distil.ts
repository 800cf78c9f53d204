import { graphStats } from "../../graph/operations.ts";
import { consolidatePipeline } from "../../knowledge/consolidation/operations.ts";
import { listFacts } from "../../knowledge/facts/operations.ts";
import { listInsights } from "../../knowledge/insights/operations.ts";
import { listProcedures } from "../../knowledge/procedures/operations.ts";
import type { ScratchStore } from "./scratch-store.ts";

/** The knowledge that was derived from the recorded sessions. */
export interface Distilled {
  /** Who derived it: a model provider, or "extractive" for rules. */
  readonly provider: string;
  readonly facts: number;
  readonly procedures: number;
  readonly insights: number;
  readonly graph: { readonly nodes: number; readonly edges: number };
  /** One example of each. */
  readonly examples: {
    readonly fact?: string;
    readonly procedure?: string;
    readonly insight?: string;
  };
  /** Why rules were used instead of the model. */
  readonly warning?: string;
}

/** Derives facts, procedures and insights from all sessions, with the model if the store has one. */
export async function distil(store: ScratchStore, project: string): Promise<Distilled> {
  const answer = await store.call(consolidatePipeline, { project, force: true });
  if ("queued" in answer) throw new Error("a command does not queue its own work");
  const { semantic } = answer.results;
  const { semantic: facts } = await store.call(listFacts, { project });
  const { procedural: procedures } = await store.call(listProcedures, { project });
  const { insights } = await store.call(listInsights, { project });
  const { nodes, edges } = await store.call(graphStats, { project });
  const fact = facts[0]?.fact;
  const procedure = procedures.toSorted((a, b) => b.strength - a.strength)[0]?.name;
  const insight = insights[0]?.content.split("\n")[0];
  return {
    provider: semantic === undefined || "reason" in semantic ? "extractive" : semantic.provider,
    facts: facts.length,
    procedures: procedures.length,
    insights: insights.length,
    graph: { nodes, edges },
    examples: {
      ...(fact === undefined ? {} : { fact }),
      ...(procedure === undefined ? {} : { procedure }),
      ...(insight === undefined ? {} : { insight }),
    },
    ...(answer.warning === undefined ? {} : { warning: answer.warning }),
  };
}

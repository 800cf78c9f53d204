import type { Observations } from "../../capture/observations/observations.ts";
import { type AgentScopes, isVisible } from "../../capture/sessions/agent-scope.ts";
import type { ActionRow } from "../../coordination/actions/record.ts";
import { compareTexts } from "../../text/compare-texts.ts";
import { pathsIn } from "../../text/paths-in-text.ts";

const mostFiles = 200;
const mostObservations = 1_000;

/** What is known about finished actions, as the material for a summary. */
export interface Material {
  /** In the order of completion. */
  readonly actions: readonly ActionRow[];
  /** Files named in the actions or their results, or touched by their source observations. */
  readonly files: readonly string[];
}

interface Services {
  readonly agents: AgentScopes;
  readonly observations: Observations;
}

/** Gathers the material. Where agents are isolated, only the agent's own observations are used. */
export async function gatherMaterial(
  { agents, observations }: Services,
  actions: readonly ActionRow[],
  agentId: string | undefined,
): Promise<Material> {
  const ordered = [...actions].sort(
    (one, other) => (one.completedAt ?? 0) - (other.completedAt ?? 0) || compareTexts(one.id, other.id),
  );
  const ids = [...new Set(ordered.flatMap(({ sourceObservationIds }) => sourceObservationIds))];
  const placed = await observations.byIds(ids.slice(0, mostObservations));
  const filter = agents.sourcesOf(agentId);
  const touched = placed
    .filter(({ observation }) => isVisible(filter, observation.agentId))
    .flatMap(({ observation }) => observation.files);
  const named = ordered.flatMap(({ description, result }) => [
    ...pathsIn(description),
    ...pathsIn(result ?? ""),
  ]);
  return { actions: ordered, files: [...new Set([...named, ...touched])].slice(0, mostFiles) };
}

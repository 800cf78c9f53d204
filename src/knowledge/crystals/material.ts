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
  /** The source observations, also deleted ones, without those of other agents. */
  readonly sourceObservationIds: readonly string[];
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
  const named = new Set(ordered.flatMap(({ sourceObservationIds }) => sourceObservationIds));
  const ids = [...named].slice(0, mostObservations);
  const placed = await observations.byIds(ids);
  const filter = agents.sourcesOf(agentId);
  const isTheirs = ({ observation }: (typeof placed)[number]) => isVisible(filter, observation.agentId);
  const touched = placed.filter(isTheirs).flatMap(({ observation }) => observation.files);
  const others = new Set(placed.filter((one) => !isTheirs(one)).map(({ observation }) => observation.id));
  const told = ordered.flatMap(({ description, result }) => [
    ...pathsIn(description),
    ...pathsIn(result ?? ""),
  ]);
  return {
    actions: ordered,
    files: [...new Set([...told, ...touched])].slice(0, mostFiles),
    sourceObservationIds: ids.filter((id) => !others.has(id)),
  };
}

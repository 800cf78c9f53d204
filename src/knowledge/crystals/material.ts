import type { Observations } from "../../capture/observations/observations.ts";
import { type AgentScopes, isVisible } from "../../capture/sessions/agent-scope.ts";
import type { ActionRow } from "../../coordination/actions/record.ts";
import { compareTexts } from "../../text/compare-texts.ts";
import { pathsIn } from "../../text/paths-in-text.ts";

const mostFiles = 200;
const mostObservations = 1_000;

/** What is known of finished actions, for those who condense it. */
export interface Material {
  /** In the order in which they were finished. */
  readonly actions: readonly ActionRow[];
  /** Files that are named in what was to be done and what came of it, or were touched by what it came from. */
  readonly files: readonly string[];
}

interface Services {
  readonly agents: AgentScopes;
  readonly observations: Observations;
}

/** Gathers what is known of actions. Where agents are isolated only the agent's own observations count. */
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

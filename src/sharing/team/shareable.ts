import { type Observations, unknownObservation } from "../../capture/observations/observations.ts";
import type { ProjectFields } from "../../capture/projects/projects.ts";
import { sessionHomes } from "../../capture/sessions/activity.ts";
import { type AgentFilter, isVisible } from "../../capture/sessions/agent-scope.ts";
import type { Memories } from "../../knowledge/memories/memories.ts";
import { unknownMemory } from "../../knowledge/memories/memories.ts";
import { memoryRecord } from "../../knowledge/memories/record.ts";
import { applyPresentTitles } from "../../knowledge/memories/titles/present-titles.ts";
import { MemsvcError } from "../../operation/errors.ts";
import type { Connection } from "../../store/store.ts";
import type { TeamItemType } from "./record.ts";

export interface ShareInput {
  readonly itemId: string;
  readonly itemType: TeamItemType;
  readonly sessionId?: string | undefined;
  readonly content?: Readonly<Record<string, unknown>> | undefined;
}

/** The content to share, and the project that it belongs to. */
interface Shareable extends ProjectFields {
  readonly content: Readonly<Record<string, unknown>>;
}

interface Services {
  readonly memories: Memories;
  readonly observations: Observations;
}

/**
 * The record that is to be shared, if the filter lets the agent see it. Errors: not_found; invalid_input for
 * a memory that is to be shared as a pattern but is not one.
 */
export async function shareable(
  connection: Connection,
  now: number,
  { memories, observations }: Services,
  { itemId, itemType, sessionId, content }: ShareInput,
  filter: AgentFilter,
): Promise<Shareable> {
  if (itemType === "observation") {
    const [found] = await observations.byIds([itemId], connection);
    if (found === undefined || !isVisible(filter, found.observation.agentId))
      throw unknownObservation(itemId);
    if (sessionId !== undefined && found.observation.sessionId !== sessionId) {
      throw new MemsvcError("not_found", `session ${sessionId} has no observation ${itemId}`, {
        hint: "leave sessionId out, or name the session of the observation",
      });
    }
    const homes = await sessionHomes(connection.sql, [found.observation.sessionId]);
    const { project = null, projectKey = null } = homes.get(found.observation.sessionId) ?? {};
    return { content: found.observation, project, projectKey };
  }
  const [row] = await memories.byIds([itemId], connection);
  if (row !== undefined && isVisible(filter, row.agentId)) {
    if (itemType === "pattern" && row.type !== "pattern") throw noPattern(itemId, row.type);
    const { project, projectKey } = row;
    // The copy is read without the versions before, which would tell that its title is outdated.
    const [content = {}] = await applyPresentTitles(connection.sql, [memoryRecord(row, now)]);
    return { content, project, projectKey };
  }
  if (itemType === "pattern" && content !== undefined) return { content, project: null, projectKey: null };
  if (itemType === "memory") throw unknownMemory(itemId);
  throw new MemsvcError("not_found", `pattern ${itemId} is not known`, {
    hint: "name a memory of type pattern, or give the pattern itself in content",
  });
}

function noPattern(id: string, type: string): MemsvcError {
  return new MemsvcError("invalid_input", `memory ${id} is a ${type}, not a pattern`, {
    hint: "share it as a memory",
    issues: [{ path: "itemType", message: `must be memory: ${id} is a ${type}` }],
  });
}

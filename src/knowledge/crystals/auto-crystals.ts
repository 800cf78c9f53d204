import { notCrystallized } from "../../coordination/actions/finished-actions.ts";
import type { ActionRow } from "../../coordination/actions/record.ts";
import type { Ground } from "../../ground.ts";
import { isMemsvcError } from "../../operation/errors.ts";
import { dayMs } from "../../time/durations.ts";
import { RunModel } from "../consolidation/run-model.ts";
import { type CrystalServices, makeCrystal } from "./make-crystal.ts";

const mostGroups = 50;
const mostInGroup = 200;
/** More than the groups of one call can hold. */
const mostActions = 20_000;

interface AutoCrystalRequest {
  readonly olderThanDays: number;
  readonly project?: string | undefined;
  readonly agentId?: string | undefined;
  readonly jobId?: string | undefined;
  /** Nobody waits for the result, so the run may wait for a model that is not available now. */
  readonly background?: boolean;
}

/** Actions that belong together: those with the same parent, else those of the same project. */
export interface Group {
  /** The id of the parent, else the project; empty if there is neither. */
  readonly key: string;
  readonly actionIds: string[];
}

export interface AutoCrystals {
  /** How many groups became crystals; a group that another call took meanwhile does not count. */
  readonly groupCount: number;
  readonly crystalIds: string[];
  readonly warning?: string;
}

/** The groups to condense, those that were finished first coming first. */
export async function groupActions(
  ground: Ground,
  { projects }: Pick<CrystalServices, "projects">,
  { olderThanDays, project }: Pick<AutoCrystalRequest, "olderThanDays" | "project">,
): Promise<Group[]> {
  const { read } = ground.store;
  const found = await notCrystallized(read, {
    projectKeys: await projects.readKeys(read.sql, project),
    before: ground.now() - olderThanDays * dayMs,
    limit: mostActions,
  });
  const groups: Group[] = [];
  const open = new Map<string, Group>();
  for (const action of found) {
    const place = placeOf(action);
    const group = open.get(place);
    if (group !== undefined && group.actionIds.length < mostInGroup) group.actionIds.push(action.id);
    else if (groups.length < mostGroups) {
      const next = { key: action.parentId ?? action.project ?? "", actionIds: [action.id] };
      open.set(place, next);
      groups.push(next);
    }
  }
  return groups;
}

/** Makes a crystal of each group, each in a transaction of its own. */
export async function makeCrystals(
  ground: Ground,
  services: CrystalServices,
  { agentId, jobId, background = false, ...wish }: AutoCrystalRequest,
): Promise<AutoCrystals> {
  const groups = await groupActions(ground, services, wish);
  const model = new RunModel(ground, { isWanted: true, background });
  const crystalIds: string[] = [];
  let warning: string | undefined;
  for (const { actionIds } of groups) {
    try {
      const made = await makeCrystal(
        ground,
        services,
        { actionIds, agentId, jobId, functionId: "crystal.auto" },
        model,
      );
      crystalIds.push(made.crystal.id);
      warning ??= made.warning;
    } catch (error) {
      // An action was reopened or condensed meanwhile; the rest of the group is left for the next run.
      if (!isMemsvcError(error, "conflict") && !isMemsvcError(error, "not_found")) throw error;
    }
  }
  return { groupCount: crystalIds.length, crystalIds, ...(warning === undefined ? {} : { warning }) };
}

function placeOf({ parentId, projectKey }: ActionRow): string {
  return parentId === null ? `project ${projectKey ?? ""}` : `parent ${parentId}`;
}

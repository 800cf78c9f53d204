import { timeText } from "../../operation/fields.ts";
import { changedAt } from "../../store/changed-at.ts";
import { type ConfidenceCurve, confidenceAt, defaultDecayRate, reinforcedConfidence } from "./confidence.ts";

/** The fields of every conclusion's row, without its content and its sources. */
export interface ConclusionRow extends ConfidenceCurve {
  readonly reinforcements: number;
  readonly project: string | null;
  readonly agentId: string | null;
  readonly tags: string[];
  readonly updatedAt: number;
  readonly deleted: boolean;
}

/** The initial state of a new conclusion. */
export function newConclusion(now: number) {
  return {
    decayRate: defaultDecayRate,
    reinforcements: 0,
    createdAt: now,
    updatedAt: now,
    lastReinforcedAt: null,
    deleted: false,
  };
}

/** The fields that a reinforcement changes; confidence grows by a share of what it lacks to 1. */
export function reinforced(
  before: ConfidenceCurve & Pick<ConclusionRow, "reinforcements" | "updatedAt">,
  now: number,
  decays: boolean,
) {
  return {
    confidence: reinforcedConfidence(before, now, decays),
    reinforcements: before.reinforcements + 1,
    lastReinforcedAt: now,
    updatedAt: changedAt(now, before.updatedAt),
  };
}

/**
 * The common fields of a conclusion as answers show them. `decays`: whether confidence decays, by the
 * settings.
 */
export function shownConclusion(row: ConclusionRow, now: number, decays: boolean) {
  return {
    confidence: confidenceAt(row, now, decays),
    reinforcements: row.reinforcements,
    project: row.project,
    agentId: row.agentId,
    tags: row.tags,
    createdAt: timeText(row.createdAt),
    updatedAt: timeText(row.updatedAt),
    lastReinforcedAt: timeText(row.lastReinforcedAt),
    decayRate: row.decayRate,
    deleted: row.deleted ? (true as const) : null,
  };
}

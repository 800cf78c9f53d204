import type { Observations } from "../../capture/observations/observations.ts";
import type { Projects } from "../../capture/projects/projects.ts";
import type { AgentScopes } from "../../capture/sessions/agent-scope.ts";
import type { Sessions } from "../../capture/sessions/sessions.ts";
import type { View } from "../../capture/sessions/view.ts";
import type { Audit } from "../../governance/audit/audit.ts";
import type { Ground } from "../../ground.ts";
import type { LongRuns } from "../../jobs/long-runs.ts";
import type { AnsweredQuestions } from "../../llm/answered-questions.ts";
import type { Metrics } from "../../operation/metrics.ts";
import type { Crystals } from "../crystals/crystals.ts";
import type { Facts } from "../facts/facts.ts";
import type { Insights } from "../insights/insights.ts";
import type { Lessons } from "../lessons/lessons.ts";
import type { Patterns } from "../patterns/patterns.ts";
import type { Procedures } from "../procedures/procedures.ts";
import type { Summaries } from "../summaries/summaries.ts";
import type { DurableSteps } from "./durable-steps.ts";
import type { KeyedMutex } from "./keyed-mutex.ts";
import type { RunModel } from "./run-model.ts";
import type { Unit } from "./unit.ts";

export interface ConsolidationServices {
  readonly agents: AgentScopes;
  readonly projects: Projects;
  readonly audit: Audit;
  readonly metrics: Metrics;
  readonly sessions: Sessions;
  readonly observations: Observations;
  readonly summaries: Summaries;
  readonly facts: Facts;
  readonly crystals: Pick<Crystals, "condenseOld">;
  readonly procedures: Procedures;
  readonly insights: Insights;
  readonly lessons: Lessons;
  readonly patterns: Patterns;
  readonly longRuns: LongRuns;
}

/** State that the runs of one process share. */
export interface SharedRunState {
  /** Questions that background runs need not ask a model again. */
  readonly answered: AnsweredQuestions;
  readonly groupsInWork: KeyedMutex;
}

/** What every step of a run works with. */
export interface Run {
  readonly ground: Ground;
  readonly services: ConsolidationServices;
  readonly model: RunModel;
  /**
   * Whether the timer or a stop started the run: such runs repeat, so finding the same again confirms
   * nothing.
   */
  readonly background: boolean;
}

/** What the tiers of a job work with. */
export interface PipelineContext {
  readonly run: Run;
  readonly steps: DurableSteps;
  readonly groupsInWork: KeyedMutex;
  readonly view: View;
  /** The units that the run processes. */
  readonly units: readonly Unit[];
  /** How many further units were requested. */
  readonly unitsLeft: number;
}

import type { Core } from "../core.ts";
import type { Ground } from "../ground.ts";
import type { Makers } from "../lazy-properties.ts";
import { Consolidations } from "./consolidation/consolidations.ts";
import { Crystals } from "./crystals/crystals.ts";
import { Facts } from "./facts/facts.ts";
import { Flow } from "./flow/flow.ts";
import { Insights } from "./insights/insights.ts";
import { Lessons } from "./lessons/lessons.ts";
import { Memories } from "./memories/memories.ts";
import { Relations } from "./memories/relations/relations.ts";
import { Patterns } from "./patterns/patterns.ts";
import { Procedures } from "./procedures/procedures.ts";
import { Profiles } from "./profiles/profiles.ts";
import { Slots } from "./slots/slots.ts";
import { Summaries } from "./summaries/summaries.ts";

/** The services for knowledge: what was learned. */
export interface KnowledgeServices {
  readonly memories: Memories;
  readonly relations: Relations;
  readonly patterns: Patterns;
  readonly facts: Facts;
  readonly procedures: Procedures;
  readonly insights: Insights;
  readonly lessons: Lessons;
  readonly slots: Slots;
  readonly profiles: Profiles;
  readonly summaries: Summaries;
  readonly consolidations: Consolidations;
  readonly crystals: Crystals;
  readonly flow: Flow;
}

export const knowledgeServices = (ground: Ground, core: Core): Makers<KnowledgeServices> => ({
  memories: () => new Memories(ground, core),
  relations: () => new Relations(ground, core),
  patterns: () => new Patterns(ground, core),
  facts: () => new Facts(ground, core),
  procedures: () => new Procedures(ground, core),
  insights: () => new Insights(ground, core),
  lessons: () => new Lessons(ground, core),
  slots: () => new Slots(ground, core),
  profiles: () => new Profiles(ground, core),
  summaries: () => new Summaries(ground, core),
  consolidations: () => new Consolidations(ground, core),
  crystals: () => new Crystals(ground, core),
  flow: () => new Flow(ground, core),
});

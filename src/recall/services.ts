import type { Core } from "../core.ts";
import type { Ground } from "../ground.ts";
import type { Makers } from "../lazy-properties.ts";
import { ContextBlocks } from "./context/context.ts";
import { FileKnowledge } from "./enrich/enrichment.ts";
import { Followups } from "./followup/followups.ts";
import { Search } from "./search/search.ts";
import { Timeline } from "./timeline/timeline.ts";
import { Vision } from "./vision/vision.ts";

/** Services of the recall domain. */
export interface RecallServices {
  readonly search: Search;
  readonly context: ContextBlocks;
  readonly enrichment: FileKnowledge;
  readonly timeline: Timeline;
  readonly followups: Followups;
  readonly vision: Vision;
}

export const recallServices = (ground: Ground, core: Core): Makers<RecallServices> => ({
  search: () => new Search(ground, core),
  context: () => new ContextBlocks(ground, core),
  enrichment: () => new FileKnowledge(ground, core),
  timeline: () => new Timeline(ground, core),
  followups: () => new Followups(ground),
  vision: () => new Vision(ground, core),
});

import type { MadeRows } from "../made-of.ts";

export const madeMemories: MadeRows = {
  table: "memories",
  sourceColumn: "source_observation_ids",
  stands: "is_latest",
};

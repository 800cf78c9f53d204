import type { DrawnRows } from "../drawn-rows.ts";

export const drawnProcedures: DrawnRows = {
  table: "procedural_memories",
  kind: "procedural",
  sourceColumns: ["source_session_ids", "source_observation_ids"],
};

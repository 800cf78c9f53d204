import type { DrawnRows } from "../drawn-rows.ts";

export const drawnFacts: DrawnRows = {
  table: "semantic_memories",
  kind: "semantic",
  sourceColumns: ["source_session_ids", "source_memory_ids"],
};

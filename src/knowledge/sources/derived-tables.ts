/** A table of rows that are derived from others, with the columns that list their sources. */
export interface DerivedTable {
  readonly table: "semantic_memories" | "procedural_memories";
  /** The kind in tombstones. */
  readonly kind: string;
  readonly sourceColumns: readonly string[];
}

export const factsTable: DerivedTable = {
  table: "semantic_memories",
  kind: "semantic",
  sourceColumns: ["source_session_ids", "source_memory_ids"],
};

export const proceduresTable: DerivedTable = {
  table: "procedural_memories",
  kind: "procedural",
  sourceColumns: ["source_session_ids", "source_observation_ids"],
};

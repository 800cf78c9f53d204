import type { MadeRows } from "../made-of.ts";

export const madeLessons: MadeRows = { table: "lessons", sourceColumn: "source_ids", stands: "NOT deleted" };

import { TableRows } from "../../store/table-rows.ts";
import { memories } from "./tables.ts";

/** Memories as whole rows. */
export const memoryRows = new TableRows(memories, { key: ["id"] });

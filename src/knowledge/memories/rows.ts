import { TableRows } from "../../store/table-rows.ts";
import { memories } from "./tables.ts";

export const memoryRows = new TableRows(memories, { key: ["id"] });

import { TableRows } from "../../store/table-rows.ts";
import { proceduralMemories } from "./tables.ts";

export const procedureRows = new TableRows(proceduralMemories, { key: ["id"] });

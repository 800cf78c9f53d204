import { TableRows } from "../../store/table-rows.ts";
import { semanticMemories } from "./tables.ts";

export const factRows = new TableRows(semanticMemories, { key: ["id"] });

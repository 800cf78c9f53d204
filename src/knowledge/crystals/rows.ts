import { TableRows } from "../../store/table-rows.ts";
import { crystals } from "./tables.ts";

export const crystalRows = new TableRows(crystals, { key: ["id"] });

import { TableRows } from "../../store/table-rows.ts";
import { insights } from "./tables.ts";

export const insightRows = new TableRows(insights, { key: ["id"] });

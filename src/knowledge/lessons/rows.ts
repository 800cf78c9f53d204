import { TableRows } from "../../store/table-rows.ts";
import { lessons } from "./tables.ts";

export const lessonRows = new TableRows(lessons, { key: ["id"] });

import { TableRows } from "../../store/table-rows.ts";
import { lessons } from "./tables.ts";

/** Lessons as whole rows. */
export const lessonRows = new TableRows(lessons, { key: ["id"] });

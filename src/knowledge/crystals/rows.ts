import { TableRows } from "../../store/table-rows.ts";
import { crystals } from "./tables.ts";

/** Crystals as whole rows. */
export const crystalRows = new TableRows(crystals, { key: ["id"] });

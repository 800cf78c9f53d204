import type { Check } from "../../governance/diagnostics/check.ts";
import { contentChecks } from "../content-checks.ts";

/** What can be wrong with procedures. */
export const procedureChecks: readonly Check[] = contentChecks({
  category: "procedural",
  table: "procedural_memories",
  content: "name",
  confidence: "strength",
});

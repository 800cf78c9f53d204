import type { Check } from "../../governance/diagnostics/check.ts";
import { statementChecks } from "../statements/statement-checks.ts";

/** Checks of `doctor` on procedures. */
export const procedureChecks: readonly Check[] = statementChecks({
  category: "procedural",
  table: "procedural_memories",
  content: "name",
  confidence: "strength",
});

import type { Check } from "../../governance/diagnostics/check.ts";
import { statementChecks } from "../statements/statement-checks.ts";

/** What can be wrong with facts. */
export const factChecks: readonly Check[] = statementChecks({
  category: "semantic",
  table: "semantic_memories",
  content: "fact",
  confidence: "confidence",
});

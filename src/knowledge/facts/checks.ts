import type { Check } from "../../governance/diagnostics/check.ts";
import { statementChecks } from "../statements/statement-checks.ts";

/** Checks of `doctor` on facts. */
export const factChecks: readonly Check[] = statementChecks({
  category: "semantic",
  table: "semantic_memories",
  content: "fact",
  confidence: "confidence",
});

import type { Check } from "../../governance/diagnostics/check.ts";
import { contentChecks } from "../content-checks.ts";

/** What can be wrong with facts. */
export const factChecks: readonly Check[] = contentChecks({
  category: "semantic",
  table: "semantic_memories",
  content: "fact",
  confidence: "confidence",
});

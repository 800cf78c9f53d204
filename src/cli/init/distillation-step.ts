import type { Configuration } from "../../config/configuration.ts";
import { offerSetting } from "./offered-setting.ts";
import type { Questions } from "./questions.ts";

const question =
  "Should sessions be distilled into lasting memories in the background? By rules, and with a language model if one is configured";

/** Offers to consolidate in the background, if the user has not decided yet. Returns whether it is wanted. */
export async function offerDistillation(
  configuration: Configuration,
  questions: Questions,
): Promise<boolean> {
  const { settings, origins } = configuration;
  if (origins.CONSOLIDATION_ENABLED !== "default") return settings.consolidationEnabled;
  return offerSetting("CONSOLIDATION_ENABLED", question, configuration, questions);
}

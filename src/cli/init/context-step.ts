import type { Configuration } from "../../config/configuration.ts";
import { readsContext } from "../connect/context-hint.ts";
import { offerSetting } from "./offered-setting.ts";
import type { Questions } from "./questions.ts";

/**
 * Offers to give new sessions the stored context, if one of the agents reads it and the user has not decided yet.
 * Returns whether they get it.
 */
export async function offerContext(
  agents: readonly { readonly name: string }[],
  configuration: Configuration,
  questions: Questions,
): Promise<boolean> {
  const { settings, origins } = configuration;
  if (origins.MEMSVC_INJECT_CONTEXT !== "default" || !readsContext(agents)) return settings.injectContext;
  const question = `Should new sessions start with what is known about their project? It takes up to ${settings.tokenBudget} tokens`;
  return offerSetting("MEMSVC_INJECT_CONTEXT", question, configuration, questions);
}

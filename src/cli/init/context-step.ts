import { changeConfigFile } from "../../config/config-file.ts";
import type { Configuration } from "../../config/configuration.ts";
import { setInEnvFile } from "../../config/env-file.ts";
import { readsContext } from "../connect/context-hint.ts";
import type { Questions } from "./questions.ts";

/**
 * Offers to give new sessions the stored context, if one of the agents reads it and the user has not decided yet.
 * Returns whether they get it.
 */
export async function offerContext(
  agents: readonly { readonly name: string }[],
  { home, settings, origins }: Configuration,
  questions: Questions,
): Promise<boolean> {
  if (origins.MEMSVC_INJECT_CONTEXT !== "default" || !readsContext(agents)) return settings.injectContext;
  const question = `Should new sessions start with what is known about their project? It takes up to ${settings.tokenBudget} tokens`;
  if (!(await questions.confirm(question, false))) return false;
  await changeConfigFile(home, (current) => setInEnvFile(current, "MEMSVC_INJECT_CONTEXT", "true"));
  return true;
}

import type { Configuration } from "../../config/configuration.ts";
import { isMemsvcError } from "../../operation/errors.ts";
import { hookBehaviours } from "../observe/hook-behaviour.ts";

/** Whether one of these agents can be given the stored context at a session's start. */
export function readsContext(agents: readonly { readonly name: string }[]): boolean {
  const readers = hookBehaviours.filter((agent) => "contextReply" in agent);
  return readers.some((reader) => agents.some(({ name }) => name === reader.name));
}

/** A hint for agents that could be given the stored context at a session's start, while that setting is off. */
export function contextHint(
  agents: readonly { readonly name: string }[],
  configuration: () => Configuration,
): string | undefined {
  if (!readsContext(agents)) return undefined;
  try {
    if (configuration().settings.injectContext) return undefined;
  } catch (error) {
    // Errors in the settings are reported elsewhere.
    if (isMemsvcError(error)) return undefined;
    throw error;
  }
  return "agents have to ask for what is known; to give it to each new session: memsvc config set MEMSVC_INJECT_CONTEXT true";
}

import type { Configuration } from "../../config/configuration.ts";
import { isMemsvcError } from "../../operation/errors.ts";
import { hookAgents } from "../observe/hook-agents.ts";

/** What to tell who connected agents that could be given what is known at a session's start, and are not. */
export function contextHint(
  agents: readonly { readonly name: string }[],
  configuration: () => Configuration,
): string | undefined {
  const readers = hookAgents.filter((agent) => "contextReply" in agent);
  if (!readers.some((reader) => agents.some(({ name }) => name === reader.name))) return undefined;
  try {
    if (configuration().settings.injectContext) return undefined;
  } catch (error) {
    // Settings that are wrong are told of by whatever needs them.
    if (isMemsvcError(error)) return undefined;
    throw error;
  }
  return "agents have to ask for what is known; to give it to each new session: memsvc config set MEMSVC_INJECT_CONTEXT true";
}

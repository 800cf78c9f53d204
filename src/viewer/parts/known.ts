import type { Reader } from "../api.ts";

/** What filters offer to choose from. */
export interface KnownNames {
  readonly projects: readonly string[];
  readonly agents: readonly string[];
}

const sessionsRead = 200;

/** Projects and agents of the newest sessions. */
export async function knownNames(reader: Reader): Promise<KnownNames> {
  const { sessions } = await reader.get("/sessions", { limit: sessionsRead });
  return {
    projects: [...new Set(sessions.map(({ project }) => project))].sort(),
    agents: [...new Set(sessions.flatMap(({ agentId }) => agentId ?? []))].sort(),
  };
}

import type { Reader } from "../api.ts";

/** Suggestions for filters. */
export interface KnownNames {
  readonly projects: readonly string[];
  readonly agents: readonly string[];
}

const projectsRead = 1_000;
const sessionsRead = 200;
const staysMs = 30_000;
let latest: { readonly names: KnownNames; readonly readAt: number } | undefined;

/**
 * The last active projects, and the agents of the newest sessions. Cached for a moment, because nearly every view needs
 * them.
 */
export async function knownNames(reader: Reader): Promise<KnownNames> {
  if (latest !== undefined && Date.now() - latest.readAt < staysMs) return latest.names;
  const [{ projects }, { sessions }] = await Promise.all([
    reader.get("/projects", { limit: projectsRead }),
    reader.get("/sessions", { limit: sessionsRead }),
  ]);
  const names = {
    projects: projects.flatMap((known) => [...known.names, known.project]).sort(),
    agents: [...new Set(sessions.flatMap(({ agentId }) => agentId ?? []))].sort(),
  };
  latest = { names, readAt: Date.now() };
  return names;
}

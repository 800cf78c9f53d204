import { listCommits } from "../capture/commits/operations.ts";
import { listSessions } from "../capture/sessions/operations.ts";
import { facetStats } from "../coordination/facets/operations.ts";
import type { Core } from "../core.ts";
import { listMemories } from "../knowledge/memories/operations.ts";
import type { Caller } from "../operation/define.ts";
import type { NameReader } from "../operation/similar-values.ts";

const lately = { limit: 200 };

/** Reads the names that filters of tools accept. */
export function namesIn(core: Core, caller: Caller): NameReader {
  const commits = async () => (await core.call(listCommits, lately, caller)).commits;
  return async (names, asked) => {
    switch (names) {
      case "agents":
        // An isolated agent must not learn who else works here.
        return core.ground.settings.agentScope === "isolated" ? undefined : agents(core, caller, asked);
      case "branches":
        return (await commits()).flatMap(({ branch }) => branch || []);
      case "repositories":
        return (await commits()).flatMap(({ repo }) => repo ?? []);
      case "labels":
        return (await core.call(facetStats, {}, caller)).dimensions.flatMap(({ dimension, values }) =>
          values.map(({ value }) => `${dimension}:${value}`),
        );
      default:
        return undefined;
    }
  };
}

/** The agent that is asked for if it has a session, which is mostly so, else those of late. */
async function agents(core: Core, caller: Caller, asked: string): Promise<readonly string[]> {
  const own = await core.call(listSessions, { limit: 1, agentId: asked }, caller);
  if (own.sessions.some(({ agentId }) => agentId === asked)) return [asked];
  const view = { ...lately, agentId: "*" };
  const { sessions } = await core.call(listSessions, view, caller);
  const listed = await core.call(listMemories, view, caller);
  const memories = "memories" in listed ? listed.memories : [];
  return [...sessions, ...memories].flatMap(({ agentId }) => agentId ?? []);
}

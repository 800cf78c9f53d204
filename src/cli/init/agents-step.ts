import { isMemsvcError } from "../../operation/errors.ts";
import { type Agent, isInstalled } from "../connect/agent.ts";
import { agents } from "../connect/agents.ts";
import { applyConnection } from "../connect/apply.ts";
import { connectedScopes } from "../connect/connection-state.ts";
import type { Places } from "../connect/places.ts";
import { type PlanRequest, plannedConnection } from "../connect/plan.ts";
import type { Questions } from "./questions.ts";

interface ConnectedAgent {
  readonly name: string;
  readonly title: string;
  /** Why the agent could not be connected. */
  readonly problem?: string;
  /** What the user still has to do. */
  readonly afterwards?: string | undefined;
}

/** The agents that are installed but not connected. */
export function unconnectedAgents(places: Places): Agent[] {
  return agents.filter((agent) => isInstalled(agent, places) && connectedScopes(agent, places).length === 0);
}

/** Connects the installed agents that the user wants. */
export async function connectAgents(
  { places, home, flags }: Pick<PlanRequest, "places" | "home" | "flags">,
  questions: Questions,
): Promise<ConnectedAgent[]> {
  const found = unconnectedAgents(places);
  if (found.length === 0) return [];
  const wanted = await questions.several(
    "Which agents should be connected?",
    found.map(({ name, title }) => ({ value: name, label: title, isOffered: true })),
  );
  const done: ConnectedAgent[] = [];
  for (const agent of found.filter(({ name }) => wanted.includes(name))) {
    const { name, title, afterwards } = agent;
    try {
      const request = { agent, scope: "user", places, home, flags } as const;
      await applyConnection(plannedConnection(request), request);
      done.push({ name, title, afterwards });
    } catch (error) {
      // Broken settings of one agent must not prevent connecting the others.
      if (!isMemsvcError(error)) throw error;
      done.push({ name, title, problem: `${error.message}; once that is fixed: memsvc connect ${name}` });
    }
  }
  return done;
}

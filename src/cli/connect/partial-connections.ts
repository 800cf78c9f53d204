import { isMemsvcError } from "../../operation/errors.ts";
import type { Agent, Scope } from "./agent.ts";
import { agents } from "./agents.ts";
import { connectedScopes, holdsOurs } from "./connection-state.ts";
import type { Places } from "./places.ts";
import { filesOf, plannedConnection } from "./plan.ts";

/** An agent of whose settings some were written, and one was not. */
export interface PartialConnection {
  readonly agent: Agent;
  readonly scope: Scope;
  /** The file in which nothing of ours stands. */
  readonly path: string;
}

/**
 * Agents that were connected from this home only in part, as by a process that was killed between two files. Whoever
 * took an entry out of a file, or wrote one without `connect`, wants it so: a file that was written once is remembered.
 */
export function partialConnections(places: Places, home: string): PartialConnection[] {
  return agents.flatMap((agent) =>
    connectedScopes(agent, places).flatMap((scope) => missingFiles({ agent, scope, places, home })),
  );
}

function missingFiles(request: {
  readonly agent: Agent;
  readonly scope: Scope;
  readonly places: Places;
  readonly home: string;
}): PartialConnection[] {
  const { agent, scope, places } = request;
  try {
    const files = filesOf(request);
    const planned = plannedConnection({ ...request, flags: [] });
    const isOfHome = planned.some(({ receipt }, at) => {
      const file = files[at];
      return receipt !== undefined && file !== undefined && holdsOurs(file, places);
    });
    if (!isOfHome) return [];
    return files.flatMap((file, at) =>
      holdsOurs(file, places) || planned[at]?.receipt !== undefined
        ? []
        : [{ agent, scope, path: file.path(places) }],
    );
  } catch (error) {
    // Of a file that cannot be read nobody knows what stands in it.
    if (isMemsvcError(error)) return [];
    throw error;
  }
}

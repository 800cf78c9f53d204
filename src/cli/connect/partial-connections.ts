import { isMemsvcError } from "../../operation/errors.ts";
import { agents } from "./agents.ts";
import { connectedScopes, holdsOurs, type StartedProgram } from "./connection-state.ts";
import type { Places } from "./places.ts";
import { filesOf, type PlanRequest, plannedConnection } from "./plan.ts";

/** An agent for which only some of its settings files contain our entries. */
export interface PartialConnection extends Pick<StartedProgram, "agent" | "scope"> {
  /** The file without our entries. */
  readonly path: string;
}

/**
 * Agents that this home has connected only in part, for example because the process was killed between two files. A
 * file for which a receipt exists was written once: if our entries are gone from it, the user wants it so, and it is
 * not reported.
 */
export function partialConnections(places: Places, home: string): PartialConnection[] {
  return agents.flatMap((agent) =>
    connectedScopes(agent, places).flatMap((scope) => missingFiles({ agent, scope, places, home })),
  );
}

function missingFiles(request: Omit<PlanRequest, "flags">): PartialConnection[] {
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
    // The contents of a file that cannot be read are unknown.
    if (isMemsvcError(error)) return [];
    throw error;
  }
}

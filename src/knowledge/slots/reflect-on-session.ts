import { isCarriedOut } from "../../capture/observations/calls/tool-hooks.ts";
import { readSession } from "../../capture/observations/reads/read-session.ts";
import { workOf } from "../../capture/observations/reads/work-history.ts";
import type { ScopeRequest } from "../../capture/sessions/agent-scope.ts";
import type { Sessions } from "../../capture/sessions/sessions.ts";
import type { Ground } from "../../ground.ts";
import { leftSince } from "../open-work/done-work.ts";
import { slotChanges } from "./slot-changes.ts";
import type { SlotServices, Slots } from "./slots.ts";

export interface ReflectInput extends ScopeRequest {
  readonly sessionId: string;
  readonly maxObservations: number;
}

export interface Reflected {
  /** How many slots were changed. */
  readonly applied: number;
  readonly observationsReviewed: number;
  readonly reason?: "no_observations";
}

/** Writes what a session leaves into the slots of its project. Error: not_found. */
export async function reflectOnSession(
  { store }: Ground,
  services: SlotServices & { readonly slots: Slots; readonly sessions: Sessions },
  input: ReflectInput,
): Promise<Reflected> {
  return store.write(async (tx) => {
    const filter = await services.agents.reader(tx.sql, input);
    const session = await services.sessions.visible(tx, input.sessionId, filter);
    const { observations } = await readSession(tx.sql, session.id);
    const seen = observations.slice(-input.maxObservations);
    const [first] = seen;
    if (first === undefined) return { applied: 0, observationsReviewed: 0, reason: "no_observations" };
    const project = await services.projects.nameOf(tx.sql, session.projectKey, session.project);
    const slots = await services.slots.ofProject(tx, { project, agentId: session.agentId });
    const ran = (await workOf(tx.sql, [session.id])).filter(({ type }) => type === "command_run");
    const commandsSeen = seen.filter((one) => one.type === "command_run" && isCarriedOut(one)).length;
    const commands = ran
      .slice(Math.max(0, ran.length - commandsSeen))
      .flatMap(({ command }) => command ?? []);
    const leftOf = await leftSince(tx.sql, { keys: [session.projectKey], filter }, first.timestamp);
    const changes = slotChanges(slots, { seen, commands, leftOf });
    for (const { slot, content } of changes) await services.slots.rewrite(tx, slot, content);
    if (changes.length > 0) {
      await services.audit.record(tx, {
        operation: "slot_reflect",
        functionId: "slot.reflect",
        targetIds: [session.id, ...changes.map(({ slot }) => slot.label)],
        details: {
          labels: changes.map(({ slot }) => slot.label),
          applied: changes.length,
          observationsReviewed: seen.length,
        },
        agentId: session.agentId,
      });
    }
    return { applied: changes.length, observationsReviewed: seen.length };
  });
}

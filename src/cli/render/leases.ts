import type { acquireLease, releaseLease, renewLease } from "../../coordination/leases/operations.ts";
import type { OutputOf } from "../../operation/define.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { freed, stateOf } from "./actions.ts";
import { shownTime } from "./time.ts";

export function renderAcquired(
  { lease, message }: OutputOf<typeof acquireLease>,
  { isForPeople }: Terminal,
): string {
  return (
    message ?? `${lease.agentId} holds ${lease.actionId} until ${shownTime(lease.expiresAt, isForPeople)}`
  );
}

export function renderRenewed({ lease }: OutputOf<typeof renewLease>, { isForPeople }: Terminal): string {
  return `${lease.agentId} holds ${lease.actionId} until ${shownTime(lease.expiresAt, isForPeople)}`;
}

export function renderReleased({ action, unblocked }: OutputOf<typeof releaseLease>): string {
  return [`${action.id} is ${stateOf(action)}`, ...freed(unblocked)].join("\n");
}

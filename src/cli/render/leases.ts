import type { z } from "zod";
import type { acquireLease, releaseLease, renewLease } from "../../coordination/leases/operations.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { freed, stateOf } from "./actions.ts";
import { shownTime } from "./time.ts";

export function renderAcquired(
  { lease, message }: z.output<typeof acquireLease.output>,
  { isForPeople }: Terminal,
): string {
  return (
    message ?? `${lease.agentId} holds ${lease.actionId} until ${shownTime(lease.expiresAt, isForPeople)}`
  );
}

export function renderRenewed(
  { lease }: z.output<typeof renewLease.output>,
  { isForPeople }: Terminal,
): string {
  return `${lease.agentId} holds ${lease.actionId} until ${shownTime(lease.expiresAt, isForPeople)}`;
}

export function renderReleased({ action, unblocked }: z.output<typeof releaseLease.output>): string {
  return [`${action.id} is ${stateOf(action)}`, ...freed(unblocked)].join("\n");
}

import type { acquireLease, renewLease } from "../../coordination/leases/operations.ts";
import type { OutputOf } from "../../operation/define.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { shownMoment } from "./time.ts";

/** For an acquired or renewed lease. */
export function renderLease(
  answer: OutputOf<typeof acquireLease> | OutputOf<typeof renewLease>,
  { isForPeople }: Terminal,
): string {
  if ("message" in answer && answer.message !== undefined) return answer.message;
  const { agentId, actionId, expiresAt } = answer.lease;
  return `${agentId} holds ${actionId} until ${shownMoment(expiresAt, isForPeople)}`;
}

import type { Asked } from "./lease-history.ts";

/** What the program has acknowledged, written down by those who asked for it. */
export interface Ledger {
  readonly observations: AcknowledgedObservation[];
  readonly memories: AcknowledgedMemory[];
  readonly endedSessions: Set<string>;
  /** Who asked for which action, and what they were told. */
  readonly leases: Asked[];
  /** Answers that were neither an acknowledgement nor the silence of a killed process. */
  readonly refusals: string[];
}

export interface AcknowledgedObservation {
  readonly id: string;
  readonly sessionId: string;
  /** Stands in no other record. */
  readonly word: string;
}

export interface AcknowledgedMemory {
  readonly id: string;
  readonly word: string;
}

export function emptyLedger(): Ledger {
  return { observations: [], memories: [], endedSessions: new Set(), leases: [], refusals: [] };
}

export function acknowledgedWrites({ observations, memories, endedSessions }: Ledger): number {
  return observations.length + memories.length + endedSessions.size;
}

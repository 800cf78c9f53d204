import type { Asked } from "./lease-history.ts";

/** Everything that the program has acknowledged, recorded by the clients. */
export interface Ledger {
  readonly observations: AcknowledgedObservation[];
  readonly memories: AcknowledgedMemory[];
  readonly endedSessions: Set<string>;
  /** Requests for leases, and their answers. */
  readonly leases: Asked[];
  /** Answers that were no acknowledgements; a killed process that does not answer is not among them. */
  readonly refusals: string[];
}

export interface AcknowledgedObservation {
  readonly id: string;
  readonly sessionId: string;
  /** A word that is in no other record. */
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

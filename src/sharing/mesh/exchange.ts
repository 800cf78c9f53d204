import type { Projects } from "../../capture/projects/projects.ts";
import type { Audit } from "../../governance/audit/audit.ts";
import type { Ground } from "../../ground.ts";
import { MemsvcError } from "../../operation/errors.ts";
import type { PeerAddresses } from "./addresses.ts";
import type { Peers } from "./peers.ts";
import type { PeerRow } from "./record.ts";
import type { MeshScope } from "./scope-names.ts";

export const callTimeoutMs = 30_000;

export interface ExchangeServices {
  readonly audit: Audit;
  readonly projects: Projects;
  readonly peers: Peers;
  readonly addresses: PeerAddresses;
}

/** An exchange with one peer: rows are pushed, pulled, or both. */
export interface Exchange {
  readonly ground: Ground;
  readonly services: ExchangeServices;
  readonly peer: PeerRow;
  readonly scopes: readonly MeshScope[];
  readonly secret: string;
}

/**
 * The time until which the rows of all these scopes have been exchanged; undefined when one of the scopes
 * never has been.
 */
export function exchangedUntil(
  moments: PeerRow["pulledTo"],
  scopes: readonly MeshScope[],
): number | undefined {
  const times = scopes.map((scope) => moments[scope]);
  const known = times.filter((time) => time !== undefined);
  return known.length < times.length ? undefined : Math.min(...known);
}

export function momentsOf(scopes: readonly MeshScope[], time: number): PeerRow["pulledTo"] {
  return Object.fromEntries(scopes.map((scope) => [scope, time]));
}

export function notOfMesh(cause?: unknown): MemsvcError {
  return new MemsvcError("unavailable", "the peer does not answer like memsvc", { cause });
}

import * as z from "zod";
import { AskedBy } from "../../governance/audit/audit.ts";
import type { Ground } from "../../ground.ts";
import { isUnencryptedRemote } from "../../net/remote-address.ts";
import { isMemsvcError, MemsvcError } from "../../operation/errors.ts";
import { meshOff } from "../../operation/mesh-off.ts";
import type { DryRun } from "../../store/store.ts";
import type { Exchange, ExchangeServices } from "./exchange.ts";
import type { Peers } from "./peers.ts";
import { pull } from "./pull.ts";
import { countNewTo, push } from "./push.ts";
import { MeshScope, type SyncResult } from "./record.ts";
import { meshScopes } from "./scope-names.ts";

const mostErrors = 20;

/** The payload of a sync job. */
export const SyncPayload = z.object({
  peerId: z.string().optional(),
  scopes: z.array(MeshScope).optional(),
  direction: z.enum(["push", "pull", "both"]),
  by: AskedBy.optional(),
});
export type SyncPayload = z.output<typeof SyncPayload>;

/** How an exchange is carried out. */
export interface SyncRun extends DryRun {
  /** The job that runs the exchange. */
  readonly jobId?: string;
  /** Whether the timer started it: then it is audited only if rows were moved. */
  readonly isByTimer?: true;
}

/**
 * Exchanges rows with one peer or with all, one after another; a failure with one peer does not stop the
 * others. A dry run asks the peers but changes nothing, neither here nor there. Error: not_found.
 */
export async function syncPeers(
  ground: Ground,
  services: ExchangeServices,
  { peerId, scopes = [...meshScopes], direction, by }: SyncPayload,
  { jobId, isByTimer, dryRun }: SyncRun,
): Promise<SyncResult[]> {
  const { secret } = ground.settings;
  if (secret === undefined) throw meshOff();
  const results: SyncResult[] = [];
  for (const peer of await services.peers.wanted(peerId)) {
    const common = peer.sharedScopes.filter((scope) => scopes.includes(scope));
    results.push(await exchange({ ground, services, peer, scopes: common, secret }, direction, { dryRun }));
  }
  const isUnrecorded = dryRun === true || (isByTimer === true && !results.some(isMoved));
  if (results.length === 0 || isUnrecorded) return results;
  await ground.store.write((tx) =>
    services.audit.recordUnscoped(tx, by, {
      operation: "mesh_sync",
      functionId: "mesh.sync",
      targetIds: results.map((result) => result.peerId),
      details: {
        direction,
        scopes,
        peers: results.map(({ errors, peerId: _id, peerName, ...counts }) => ({
          peer: peerName,
          ...counts,
          failed: errors.length > 0,
        })),
        jobId,
      },
    }),
  );
  return results;
}

function isMoved({ pushed, pulled, rejected }: SyncResult): boolean {
  return pushed + pulled + rejected > 0;
}

async function exchange(
  given: Exchange,
  direction: SyncPayload["direction"],
  { dryRun = false }: DryRun,
): Promise<SyncResult> {
  const { ground, services, peer } = given;
  const result: Omit<SyncResult, "errors"> = {
    peerId: peer.id,
    peerName: peer.name,
    pushed: 0,
    pulled: 0,
    rejected: 0,
  };
  const note: Peers["note"] = async (...change) => (dryRun ? undefined : services.peers.note(...change));
  await note(peer.id, { status: "syncing" });
  try {
    if (given.scopes.length === 0)
      throw new MemsvcError("invalid_input", "none of these scopes is shared with it");
    refuseOpenNetwork(given);
    if (direction !== "push") {
      const { accepted, rejected, deleted } = await pull(given, { dryRun });
      result.pulled = accepted;
      result.rejected += rejected;
      if (deleted > 0) result.deleted = deleted;
    }
    if (direction !== "pull" && dryRun) result.pushed = await countNewTo(given);
    else if (direction !== "pull") {
      await push(given, ({ accepted, rejected }) => {
        result.pushed += accepted;
        result.rejected += rejected;
      });
    }
    await note(peer.id, { status: "connected", lastSyncAt: ground.now(), lastError: null });
    return { ...result, errors: [] };
  } catch (error) {
    const reason = ground.store.faultOf(error);
    if (!isMemsvcError(reason)) throw error;
    const { message, hint, issues = [] } = reason;
    const lastError = hint === undefined ? message : `${message}; ${hint}`;
    await note(peer.id, { status: "error", lastError });
    const ofRows = issues.map((issue) => `${issue.path} ${issue.message}`);
    return { ...result, errors: [...new Set([lastError, ...ofRows])].slice(0, mostErrors) };
  }
}

/** Where MEMSVC_REQUIRE_HTTPS is set, the secret is not sent to a remote host without encryption. */
function refuseOpenNetwork({ ground, peer }: Exchange): void {
  if (!ground.settings.requireHttps || !isUnencryptedRemote(peer.url)) return;
  throw new MemsvcError("forbidden", "MEMSVC_REQUIRE_HTTPS forbids sending the secret to it over http");
}

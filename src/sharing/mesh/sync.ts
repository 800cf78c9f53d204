import { hostname } from "node:os";
import * as z from "zod";
import type { Projects } from "../../capture/projects/projects.ts";
import type { Audit } from "../../governance/audit/audit.ts";
import type { Ground } from "../../ground.ts";
import type { ByteStream } from "../../operation/define.ts";
import { isMemsvcError, MemsvcError } from "../../operation/errors.ts";
import { timeText } from "../../operation/fields.ts";
import { meshOff } from "../../operation/mesh-off.ts";
import type { PeerAddresses } from "./addresses.ts";
import { askPeer } from "./ask-peer.ts";
import { bodiesOf } from "./bodies.ts";
import { rowsFor } from "./export-rows.ts";
import { peerBase } from "./peer-url.ts";
import type { Peers } from "./peers.ts";
import { receiveRows } from "./receive.ts";
import { type PeerRow, Received, type SyncResult } from "./record.ts";
import { type MeshScope, meshScopes } from "./scope-names.ts";

const callTimeoutMs = 30_000;
const longestReceipt = 1024 * 1024;
const mostErrors = 20;

/** What the job of an exchange carries. */
export const SyncPayload = z.object({
  peerId: z.string().optional(),
  scopes: z.array(z.enum(meshScopes)).optional(),
  direction: z.enum(["push", "pull", "both"]),
});
export type SyncPayload = z.output<typeof SyncPayload>;

interface Services {
  readonly audit: Audit;
  readonly projects: Projects;
  readonly peers: Peers;
  readonly addresses: PeerAddresses;
}

interface Exchange {
  readonly ground: Ground;
  readonly services: Services;
  readonly peer: PeerRow;
  readonly scopes: readonly MeshScope[];
  readonly secret: string;
}

/** Exchanges rows with one peer or all, one after another; one that fails does not keep the others. Error: not_found. */
export async function syncPeers(
  ground: Ground,
  services: Services,
  { peerId, scopes = [...meshScopes], direction }: SyncPayload,
  jobId?: string,
): Promise<SyncResult[]> {
  const { secret } = ground.settings;
  if (secret === undefined) throw meshOff();
  const results: SyncResult[] = [];
  for (const peer of await services.peers.wanted(peerId)) {
    const common = peer.sharedScopes.filter((scope) => scopes.includes(scope));
    results.push(await exchange({ ground, services, peer, scopes: common, secret }, direction));
  }
  if (results.length === 0) return results;
  await ground.store.write((tx) =>
    services.audit.record(tx, {
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
        ...(jobId === undefined ? {} : { jobId }),
      },
    }),
  );
  return results;
}

async function exchange(given: Exchange, direction: SyncPayload["direction"]): Promise<SyncResult> {
  const { ground, services, peer } = given;
  const result = { peerId: peer.id, peerName: peer.name, pushed: 0, pulled: 0, rejected: 0 };
  await services.peers.note(peer.id, { status: "syncing" });
  try {
    if (given.scopes.length === 0)
      throw new MemsvcError("invalid_input", "none of these scopes is shared with it");
    refuseOpenNetwork(given);
    if (direction !== "push") {
      const { accepted, rejected } = await pull(given);
      result.pulled = accepted;
      result.rejected += rejected;
    }
    if (direction !== "pull") {
      await push(given, ({ accepted, rejected }) => {
        result.pushed += accepted;
        result.rejected += rejected;
      });
    }
    await services.peers.note(peer.id, { status: "connected", lastSyncAt: ground.now(), lastError: null });
    return { ...result, errors: [] };
  } catch (error) {
    const reason = ground.store.faultOf(error);
    if (!isMemsvcError(reason)) throw error;
    const told = [reason.message, ...(reason.issues ?? []).map(({ path, message }) => `${path} ${message}`)];
    const [first = reason.code] = told;
    await services.peers.note(peer.id, { status: "error", lastError: first });
    return { ...result, errors: [...new Set(told)].slice(0, mostErrors) };
  }
}

async function pull({ ground, services, peer, scopes, secret }: Exchange): Promise<Received> {
  const query = new URLSearchParams({ scopes: scopes.join(",") });
  const since = knownTo(peer.pulledTo, scopes);
  if (since !== undefined) query.set("since", timeText(since));
  if (peer.project !== null) query.set("project", peer.project);
  const mostBytes = ground.settings.maxImportBytes;
  const call = {
    url: `${peerBase(peer.url)}/mesh/export?${query}`,
    method: "GET",
    secret,
    mostBytes,
    timeoutMs: callTimeoutMs,
  } as const;
  const { sending, ...received } = await askPeer(services.addresses, call, (answer) =>
    receiveRows(ground, services, answer, { peer: { id: peer.id, name: peer.name }, scopes }).catch(
      (error: unknown) => {
        throw asAnswered(error);
      },
    ),
  );
  const { isOfMesh, exportedAt } = sending;
  if (!isOfMesh) throw notOfMesh();
  // A clock that was set back: what was changed since then carries times that count as known. So all is asked for again.
  const pulledTo = since === undefined || exportedAt === undefined || exportedAt >= since ? exportedAt : 0;
  if (pulledTo !== undefined) await services.peers.note(peer.id, { pulledTo: momentsOf(scopes, pulledTo) });
  return received;
}

async function push(
  { ground, services, peer, scopes, secret }: Exchange,
  count: (received: Received) => void,
): Promise<void> {
  const startedAt = ground.now();
  const pushedTo = knownTo(peer.pushedTo, scopes);
  const rows = rowsFor(ground, services.projects, {
    scopes,
    // A time to come shows that the clock was set back.
    since: pushedTo !== undefined && pushedTo <= startedAt ? pushedTo : undefined,
    project: peer.project ?? undefined,
    peerId: peer.id,
    from: `${ground.settings.serviceName}@${hostname()}`,
  });
  const call = {
    url: `${peerBase(peer.url)}/mesh/receive`,
    method: "POST",
    secret,
    mostBytes: longestReceipt,
    timeoutMs: callTimeoutMs,
  } as const;
  for await (const body of bodiesOf(rows)) {
    const receipt = await askPeer(services.addresses, { ...call, body }, async (answer) =>
      Received.safeParse(await jsonOf(answer)),
    );
    if (!receipt.success) throw notOfMesh();
    count(receipt.data);
  }
  await services.peers.note(peer.id, { pushedTo: momentsOf(scopes, startedAt) });
}

/** With the setting that forbids it, the secret goes over no open network. */
function refuseOpenNetwork({ ground, peer }: Exchange): void {
  const { protocol, hostname: host } = new URL(peer.url);
  const isOwn = host === "localhost" || host === "[::1]" || /^127\./u.test(host);
  if (!ground.settings.requireHttps || protocol === "https:" || isOwn) return;
  throw new MemsvcError("forbidden", "MEMSVC_REQUIRE_HTTPS forbids to send the secret to it over http");
}

/** The time up to which all of these scopes are known; undefined when one is not known at all. */
function knownTo(moments: PeerRow["pulledTo"], scopes: readonly MeshScope[]): number | undefined {
  const times = scopes.map((scope) => moments[scope]);
  const known = times.filter((time) => time !== undefined);
  return known.length < times.length ? undefined : Math.min(...known);
}

function momentsOf(scopes: readonly MeshScope[], time: number): PeerRow["pulledTo"] {
  return Object.fromEntries(scopes.map((scope) => [scope, time]));
}

async function jsonOf(answer: ByteStream): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of answer) chunks.push(chunk);
  try {
    return JSON.parse(Buffer.concat(chunks).toString());
  } catch (error) {
    throw notOfMesh(error);
  }
}

/** What is wrong with rows that were asked for is the peer's fault, and not that of a request to here. */
function asAnswered(error: unknown): unknown {
  const isOfTheRows = isMemsvcError(error, "invalid_input") || isMemsvcError(error, "too_large");
  if (!isOfTheRows) return error;
  const { message, cause } = error;
  return new MemsvcError("unavailable", `the peer's answer cannot be used: ${message}`, { cause });
}

function notOfMesh(cause?: unknown): MemsvcError {
  return new MemsvcError("unavailable", "the peer's answer is not that of a memsvc", { cause });
}

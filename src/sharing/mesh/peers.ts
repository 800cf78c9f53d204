import { eq, inArray } from "drizzle-orm";
import type { AskedBy, Audit } from "../../governance/audit/audit.ts";
import type { Ground } from "../../ground.ts";
import { enqueuePurge } from "../../index/words/purge.ts";
import { isMemsvcError, MemsvcError } from "../../operation/errors.ts";
import { newestFirst, type Paging, pageOf } from "../../store/page.ts";
import type { DryRun, Transaction } from "../../store/store.ts";
import { redactText } from "../../text/redaction/redact.ts";
import type { PeerAddresses } from "./addresses.ts";
import { peerUrl, plainUrl, sameAddresses } from "./peer-url.ts";
import { type MeshPeer, type PeerRow, peerRecord } from "./record.ts";
import { type MeshScope, meshScopes } from "./scope-names.ts";
import { meshArrivals, meshPeers } from "./tables.ts";

/** How long registering a peer waits for its name to be resolved. */
const resolveWaitMs = 3_000;

export interface NewPeer {
  readonly url: string;
  readonly name: string;
  readonly sharedScopes?: readonly MeshScope[] | undefined;
  readonly syncFilter?: { readonly project?: string | undefined } | undefined;
}

export interface PeerRemoval extends DryRun {
  readonly peerId: string;
}

/** The services that this one exchanges rows with. */
export class Peers {
  readonly #ground: Ground;
  readonly #audit: Audit;
  readonly #addresses: PeerAddresses;

  constructor(ground: Ground, audit: Audit, addresses: PeerAddresses) {
    this.#ground = ground;
    this.#audit = audit;
    this.#addresses = addresses;
  }

  /**
   * Registers a peer. Errors: invalid_input for an address that is not valid or not allowed; conflict for a
   * known peer.
   */
  async add(
    { url: given, name: called, sharedScopes = meshScopes, syncFilter }: NewPeer,
    by: AskedBy,
  ): Promise<MeshPeer> {
    const { store, now, newId } = this.#ground;
    const address = peerUrl(given);
    const name = redactText(called);
    await this.#refuseAddress(address.hostname);
    const url = plainUrl(address);
    return store.write(async (tx) => {
      const [known] = await tx.orm
        .select()
        .from(meshPeers)
        .where(inArray(meshPeers.url, sameAddresses(url)))
        .limit(1);
      if (known !== undefined) {
        throw new MemsvcError("conflict", `${url} is a peer already, called ${known.name}`, {
          hint:
            `exchange rows with it: memsvc mesh sync ${known.id}; ` +
            `to add it anew with another name, scopes or filter, remove it first: memsvc mesh remove ${known.id}`,
          extra: { peerId: known.id },
        });
      }
      const row: PeerRow = {
        id: newId("meshPeer"),
        url,
        name,
        sharedScopes: meshScopes.filter((scope) => sharedScopes.includes(scope)),
        project: syncFilter?.project ?? null,
        status: "disconnected",
        lastSyncAt: null,
        lastError: null,
        pulledTo: {},
        pushedTo: {},
        createdAt: now(),
        updatedAt: now(),
      };
      await tx.orm.insert(meshPeers).values(row);
      await this.#audit.recordUnscoped(tx, by, {
        operation: "mesh_peer",
        functionId: "mesh.peer",
        targetIds: [row.id],
        details: { peer: name, scopes: row.sharedScopes },
      });
      return peerRecord(row);
    });
  }

  /** Newest first. */
  async list(paging: Paging) {
    const { read } = this.#ground.store;
    const { rows, ...page } = await pageOf(read, meshPeers, { order: newestFirst(meshPeers) }, paging);
    return { peers: rows.map(peerRecord), ...page };
  }

  /**
   * Ends the exchange with a peer. Rows that came from it stay, but no longer count as its own. Error:
   * not_found.
   */
  async remove({ peerId, dryRun }: PeerRemoval, by: AskedBy): Promise<MeshPeer> {
    const work = async (tx: Transaction) => {
      const [row] = await tx.orm.delete(meshPeers).where(eq(meshPeers.id, peerId)).returning();
      if (row === undefined) throw unknownPeer(peerId);
      await tx.orm.update(meshArrivals).set({ peerId: null }).where(eq(meshArrivals.peerId, peerId));
      await this.#audit.recordUnscoped(tx, by, {
        operation: "mesh_peer",
        functionId: "mesh.peer",
        targetIds: [peerId],
        details: { peer: row.name, removed: true },
      });
      await enqueuePurge(tx, this.#ground);
      return peerRecord(row);
    };
    return this.#ground.store.write(work, { dryRun });
  }

  /** The peer with this id, or all peers, oldest first. Error: not_found. */
  async wanted(peerId: string | undefined): Promise<PeerRow[]> {
    const { orm } = this.#ground.store.read;
    const rows = await orm
      .select()
      .from(meshPeers)
      .where(peerId === undefined ? undefined : eq(meshPeers.id, peerId))
      .orderBy(meshPeers.createdAt, meshPeers.id);
    if (peerId === undefined || rows.length > 0) return rows;
    throw unknownPeer(peerId);
  }

  /** Records how an exchange with a peer stands. */
  async note(
    id: string,
    change: Partial<Pick<PeerRow, "status" | "lastSyncAt" | "lastError" | "pulledTo" | "pushedTo">>,
  ): Promise<void> {
    await this.#ground.store.write(async (tx) => {
      const [row] = await tx.orm.select().from(meshPeers).where(eq(meshPeers.id, id));
      if (row === undefined) return;
      await tx.orm
        .update(meshPeers)
        .set({
          ...change,
          pulledTo: { ...row.pulledTo, ...change.pulledTo },
          pushedTo: { ...row.pushedTo, ...change.pushedTo },
          updatedAt: this.#ground.now(),
        })
        .where(eq(meshPeers.id, id));
    });
  }

  async #refuseAddress(hostname: string): Promise<void> {
    try {
      await this.#addresses.check(hostname, resolveWaitMs);
    } catch (error) {
      if (!isMemsvcError(error, "forbidden")) throw error;
      const { message, hint } = error;
      throw new MemsvcError("invalid_input", message, {
        hint,
        issues: [{ path: "url", message: `is not allowed: ${message}` }],
      });
    }
  }
}

function unknownPeer(peerId: string): MemsvcError {
  return new MemsvcError("not_found", `peer ${peerId} is not known`, {
    hint: "list the known ones: memsvc mesh peers",
  });
}

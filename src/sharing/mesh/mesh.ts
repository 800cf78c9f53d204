import type { Projects } from "../../capture/projects/projects.ts";
import type { Clockwork } from "../../coordination/clockwork.ts";
import type { AskedBy, Audit } from "../../governance/audit/audit.ts";
import type { Ground } from "../../ground.ts";
import type { LongRuns } from "../../jobs/long-runs.ts";
import type { ByteStream } from "../../operation/define.ts";
import type { Queued } from "../../operation/long-operation.ts";
import { meshOff } from "../../operation/mesh-off.ts";
import type { Paging } from "../../store/page.ts";
import type { DryRun } from "../../store/store.ts";
import type { Cursor } from "./cursor.ts";
import type { Extent } from "./export-rows.ts";
import type { NewPeer, PeerRemoval, Peers } from "./peers.ts";
import type { MeshPeer, Received, SyncResult } from "./record.ts";
import { type MeshScope, meshScopes } from "./scope-names.ts";
import type { SyncPayload, SyncRun } from "./sync.ts";

const syncJobKind = "mesh.sync";

interface Services {
  readonly audit: Audit;
  readonly projects: Projects;
  readonly longRuns: LongRuns;
  readonly clockwork: Clockwork;
}

interface ExportInput {
  readonly since?: number | undefined;
  readonly project?: string | undefined;
  readonly scopes?: readonly MeshScope[] | undefined;
  readonly after?: Cursor | undefined;
  /** About how long one page may be, in bytes; a page after which rows are left says where to go on. */
  readonly pageBytes?: number | undefined;
}

/** Exchanges rows with other memsvc services. Every method throws feature_off when no secret is set. */
export class Mesh {
  readonly #ground: Ground;
  readonly #services: Services;

  constructor(ground: Ground, services: Services) {
    this.#ground = ground;
    this.#services = services;
    services.longRuns.register(syncJobKind, async ({ id, payload }) => {
      const { SyncPayload } = await import("./sync.ts");
      return { results: await this.#sync(SyncPayload.parse(payload), { jobId: id }) };
    });
  }

  /** Errors: invalid_input, conflict. */
  async addPeer(input: NewPeer, by: AskedBy): Promise<MeshPeer> {
    return (await this.#peers()).add(input, by);
  }

  async peers(input: Paging): ReturnType<Peers["list"]> {
    return (await this.#peers()).list(input);
  }

  /** Error: not_found. */
  async removePeer(input: PeerRemoval, by: AskedBy): Promise<MeshPeer> {
    return (await this.#peers()).remove(input, by);
  }

  /**
   * Exchanges rows: answers with the results if that takes at most `waitMs`, else with the job that goes on.
   * A dry run is always waited for. Error: not_found.
   */
  async sync(
    { dryRun, ...asked }: Omit<SyncPayload, "by"> & DryRun,
    waitMs: number,
    by: AskedBy,
  ): Promise<{ results: SyncResult[] } | Queued> {
    await (await this.#peers()).wanted(asked.peerId);
    if (dryRun === true) return { results: await this.#sync(asked, { dryRun }) };
    const payload = { ...asked, by: this.#services.audit.effective(by) };
    return this.#services.longRuns.run<{ results: SyncResult[] }>(
      { kind: syncJobKind, key: JSON.stringify(asked), payload },
      waitMs,
    );
  }

  /** Exchanges rows in both directions with all peers; called by a timer. */
  async syncAll(): Promise<SyncResult[]> {
    return this.#sync({ direction: "both" }, { isByTimer: true });
  }

  /** Errors: invalid_input, too_large. */
  async receive(body: ByteStream): Promise<Received> {
    this.#requireSecret();
    const { receiveRows } = await import("./receive.ts");
    const taken = await receiveRows(this.#ground, this.#services, (read) => read(body), {});
    const { deleted: _deleted, ...received } = taken;
    return received;
  }

  /** The text of an export, in chunks. */
  async *export({ scopes = meshScopes, pageBytes, ...input }: ExportInput): AsyncGenerator<Uint8Array> {
    this.#requireSecret();
    await this.#services.clockwork.beforeRead();
    const { rowsFor } = await import("./export-rows.ts");
    const { beginningOf, wholeBody } = await import("./bodies.ts");
    const { since, project, after } = input;
    const extent: Extent = { since, project, after, scopes: scopes.length === 0 ? meshScopes : scopes };
    const rows = rowsFor(this.#ground, this.#services.projects, extent);
    yield* pageBytes === undefined ? wholeBody(rows) : beginningOf(rows, pageBytes);
  }

  async #sync(payload: SyncPayload, run: SyncRun): Promise<SyncResult[]> {
    await this.#services.clockwork.beforeRead();
    const { syncPeers } = await import("./sync.ts");
    const peers = await this.#peers();
    const addresses = await this.#addresses();
    const { audit, projects } = this.#services;
    return syncPeers(this.#ground, { audit, projects, peers, addresses }, payload, run);
  }

  async #peers(): Promise<Peers> {
    this.#requireSecret();
    const { Peers } = await import("./peers.ts");
    return new Peers(this.#ground, this.#services.audit, await this.#addresses());
  }

  async #addresses() {
    const { PeerAddresses } = await import("./addresses.ts");
    return new PeerAddresses(this.#ground.settings.meshAllowPrivate);
  }

  #requireSecret(): void {
    if (this.#ground.settings.secret === undefined) throw meshOff();
  }
}

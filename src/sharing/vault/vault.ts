import type { AskedBy } from "../../governance/audit/audit.ts";
import type { Ground } from "../../ground.ts";
import { enqueue } from "../../jobs/jobs.ts";
import type { LongRuns } from "../../jobs/long-runs.ts";
import type { Queued } from "../../operation/long-operation.ts";
import type { DryRun, Transaction } from "../../store/store.ts";
import type { VaultExported } from "./answers.ts";
import type { VaultServices } from "./export-vault.ts";
import { type NoteKind, noteKinds } from "./note-kinds.ts";

const exportJobKind = "vault.export";
const autoExportJobKind = "vault.auto-export";

interface ExportInput extends DryRun {
  readonly vaultDir: string;
  readonly types: readonly NoteKind[];
  readonly project?: string | undefined;
}

// Loaded by the first export: most commands never export.
const load = () => import("./export-vault.ts");

/** Exports knowledge as a folder of linked Markdown notes for people. */
export class Vault {
  readonly #ground: Ground;
  readonly #services: VaultServices;
  readonly #longRuns: LongRuns;

  constructor(ground: Ground, services: VaultServices & { readonly longRuns: LongRuns }) {
    this.#ground = ground;
    this.#services = services;
    this.#longRuns = services.longRuns;
    this.#longRuns.register(exportJobKind, async ({ id, payload }) => {
      const { exportVault, VaultPayload } = await load();
      return exportVault(ground, services, { ...VaultPayload.parse(payload), jobId: id });
    });
    this.#longRuns.register(autoExportJobKind, async ({ id }) => {
      const { vaultAutoExport } = ground.settings;
      // The setting may have changed since the export was queued.
      if (vaultAutoExport === undefined) return undefined;
      const { exportVault } = await load();
      const { openVaultFolder } = await import("./folder.ts");
      const folder = openVaultFolder(ground, vaultAutoExport, { isChosenByOperator: true });
      return exportVault(ground, services, { folder, kinds: [...noteKinds], jobId: id });
    });
  }

  /**
   * Writes the notes: answers with the result if that takes at most `waitMs`, else with the job that goes on.
   * Errors: forbidden, not_found, invalid_input.
   */
  async export(
    { vaultDir, types, project, dryRun }: ExportInput,
    waitMs: number,
    by: AskedBy,
  ): Promise<VaultExported | Queued> {
    const { openVaultFolder } = await import("./folder.ts");
    const work = {
      folder: openVaultFolder(this.#ground, vaultDir, { dryRun }),
      kinds: [...types],
      ...(project === undefined ? {} : { project }),
    };
    if (dryRun === true) {
      const { exportVault } = await load();
      return exportVault(this.#ground, this.#services, { ...work, dryRun });
    }
    const payload = { ...work, by: this.#services.audit.effective(by) };
    return this.#longRuns.run<VaultExported>(
      { kind: exportJobKind, key: JSON.stringify(work), payload },
      waitMs,
    );
  }
}

/**
 * Queues the export that MEMSVC_VAULT_AUTO_EXPORT asks for, in the transaction whose change made it
 * necessary.
 */
export async function askForAutoExport(tx: Transaction, ground: Ground): Promise<void> {
  if (ground.settings.vaultAutoExport === undefined) return;
  await enqueue(tx, ground, { kind: autoExportJobKind, key: "vault" });
}

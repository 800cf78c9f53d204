import type { Core } from "../core.ts";
import type { Ground } from "../ground.ts";
import type { Makers } from "../lazy-properties.ts";
import type { FileWork } from "../store/file-work.ts";
import { Audit } from "./audit/audit.ts";
import { Governance } from "./deletion/governance.ts";
import { Diagnostics } from "./diagnostics/diagnostics.ts";
import { Health } from "./health/health.ts";
import { Migrations } from "./migration/migrations.ts";
import { Provenance } from "./provenance/provenance.ts";
import { Retention } from "./retention/retention.ts";
import { Snapshots } from "./snapshots/snapshots.ts";
import type { RowReading } from "./transfer/row-reading.ts";
import { Transfer } from "./transfer/transfer.ts";

/** The services that keep, show, delete and restore records. */
export interface GovernanceServices {
  readonly audit: Audit;
  readonly health: Health;
  readonly snapshots: Snapshots;
  readonly transfer: Transfer;
  readonly migrations: Migrations;
  readonly governance: Governance;
  readonly retention: Retention;
  readonly provenance: Provenance;
  readonly diagnostics: Diagnostics;
}

/** Ways to run long work on another thread than the caller's. */
export interface WorkElsewhere {
  readonly fileWork: FileWork;
  readonly readRows: RowReading | undefined;
}

export const governanceServices = (
  ground: Ground,
  core: Core,
  { fileWork, readRows }: WorkElsewhere,
): Makers<GovernanceServices> => ({
  audit: () => new Audit(ground),
  health: () => new Health(ground, core),
  snapshots: () => new Snapshots(ground, core, fileWork),
  transfer: () => new Transfer(ground, core, readRows),
  migrations: () => new Migrations(ground, core, fileWork),
  governance: () => new Governance(ground, core),
  retention: () => new Retention(ground, core),
  provenance: () => new Provenance(ground, core),
  diagnostics: () =>
    new Diagnostics(ground, core, async () =>
      (await import("./diagnostics/checks.ts")).allChecks(ground, core),
    ),
});

import type { Ground } from "../../ground.ts";
import type { LongRuns } from "../../jobs/long-runs.ts";
import type { Queued } from "../../operation/long-operation.ts";
import type { FileWork } from "../../store/file-work.ts";
import type { AskedBy } from "../audit/audit.ts";
import type { ImportServices } from "../transfer/import.ts";
import type { InferredProjects, MergedFile } from "./answers.ts";
import type { MergeInput, MergeWork } from "./merge-file.ts";

interface Services extends ImportServices {
  readonly longRuns: LongRuns;
}

const mergeKind = "store.migrate";

/** Updates older records, and imports other stores. */
export class Migrations {
  readonly #ground: Ground;
  readonly #services: Services;

  constructor(ground: Ground, services: Services, fileWork: FileWork) {
    this.#ground = ground;
    this.#services = services;
    // The operation's input schema checked the payload before it was stored.
    services.longRuns.register(mergeKind, async ({ id, payload }) => {
      const { mergeFile } = await import("./merge-file.ts");
      return mergeFile(ground, services, fileWork, payload as unknown as MergeWork, id);
    });
  }

  async inferMemoryProjects(dryRun: boolean, by: AskedBy): Promise<InferredProjects> {
    const { inferMemoryProjects } = await import("./infer-memory-projects.ts");
    return inferMemoryProjects(this.#ground, this.#services, dryRun, by);
  }

  /** Imports from a store file or an export what this store does not have. Errors: those of mergeFile. */
  async mergeFile(input: MergeInput, waitMs: number, by: AskedBy): Promise<MergedFile | Queued> {
    const { filePlace } = await import("./merge-file.ts");
    // Checked before the job is queued, so that a refused request leaves no job.
    const dbPath = filePlace(this.#ground, input);
    const { audit, longRuns } = this.#services;
    const payload = { dbPath, by: audit.effective(by) };
    return longRuns.run({ kind: mergeKind, key: dbPath, payload }, waitMs);
  }
}

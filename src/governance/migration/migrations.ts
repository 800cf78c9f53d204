import type { Projects } from "../../capture/projects/projects.ts";
import type { Ground } from "../../ground.ts";
import type { LongRuns } from "../../jobs/long-runs.ts";
import type { Queued } from "../../operation/long.ts";
import type { FileWork } from "../../store/file-work.ts";
import type { Audit } from "../audit/audit.ts";
import { type InferredProjects, inferMemoryProjects } from "./infer-memory-projects.ts";
import { filePlace, type MergedFile, type MergeInput, mergeFile } from "./merge-file.ts";

interface Services {
  readonly projects: Projects;
  readonly audit: Audit;
  readonly snapshots: { takeSafety(message: string): Promise<string> };
  readonly longRuns: LongRuns;
}

const mergeKind = "store.migrate";

/** Brings older records up to date, and other stores in. */
export class Migrations {
  readonly #ground: Ground;
  readonly #services: Services;

  constructor(ground: Ground, services: Services, fileWork: FileWork) {
    this.#ground = ground;
    this.#services = services;
    // The payload of a job is what its request put there, checked by the operation's input.
    services.longRuns.register(mergeKind, ({ id, payload }) =>
      mergeFile(ground, services, fileWork, payload as unknown as MergeInput, id),
    );
  }

  inferMemoryProjects(dryRun: boolean): Promise<InferredProjects> {
    return inferMemoryProjects(this.#ground, this.#services, dryRun);
  }

  /** Takes in what a store file or an export has and this store does not. Errors: those of mergeFile. */
  async mergeFile(input: MergeInput, waitMs: number): Promise<MergedFile | Queued> {
    // Refused here, the request leaves no job behind.
    const dbPath = filePlace(this.#ground, input);
    return this.#services.longRuns.run({ kind: mergeKind, key: dbPath, payload: { dbPath } }, waitMs);
  }
}

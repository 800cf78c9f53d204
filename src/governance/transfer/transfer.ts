import type { Projects } from "../../capture/projects/projects.ts";
import type { Ground } from "../../ground.ts";
import type { ByteStream } from "../../operation/define.ts";
import type { Audit } from "../audit/audit.ts";
import { type ExportInput, exportStore } from "./export.ts";
import { type Imported, importStore } from "./import.ts";

interface Services {
  readonly audit: Audit;
  readonly projects: Projects;
  readonly snapshots: { takeSafety(message: string): Promise<string> };
}

/** The whole store as JSON, out and in. */
export class Transfer {
  readonly #ground: Ground;
  readonly #services: Services;

  constructor(ground: Ground, services: Services) {
    this.#ground = ground;
    this.#services = services;
  }

  /** The text of an export in pieces. Its view of the store is open from the first piece until the last, or its return(). */
  export(input: ExportInput): AsyncGenerator<string> {
    return exportStore(this.#ground, this.#services, input);
  }

  /** Errors: invalid_input with the first faults, too_large. */
  import(body: ByteStream): Promise<Imported> {
    return importStore(this.#ground, this.#services, body);
  }
}

import type { Ground } from "../../ground.ts";
import type { ScopeRequest } from "../sessions/agent-scope.ts";
import type { Session } from "../sessions/record.ts";
import type { Imported } from "./answers.ts";
import type { ImportInput, ImportServices } from "./import.ts";
import type { Timeline } from "./record.ts";

/* What only these two need is loaded by the first of them: most commands open the core without either. */

/** Sessions as they went: shown event by event, and read from transcripts. */
export interface Replay {
  /** Error: not_found. */
  load(
    input: ScopeRequest & { readonly sessionId: string },
  ): Promise<{ timeline: Timeline; session: Session }>;
  /** Errors: forbidden, not_found, invalid_input. */
  import(input: ImportInput): Promise<Imported>;
}

export function replayOver(ground: Ground, services: ImportServices, userHome: string): Replay {
  return {
    load: async (input) => (await import("./timeline.ts")).loadTimeline(ground, services, input),
    import: async (input) => {
      const { importTranscripts } = await import("./import.ts");
      return importTranscripts(ground, services, userHome, input);
    },
  };
}

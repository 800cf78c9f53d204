import type { Ground } from "../../ground.ts";
import type { ScopeRequest } from "../sessions/agent-scope.ts";
import type { Session } from "../sessions/record.ts";
import type { Imported } from "./answers.ts";
import type { ImportInput, ImportServices } from "./import.ts";
import type { Timeline } from "./record.ts";

/* Modules that only these two methods need are loaded by the first call: most commands call neither. */

/** Replays sessions event by event, and imports them from transcripts. */
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

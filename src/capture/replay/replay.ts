import type { Ground } from "../../ground.ts";
import type { ScopeRequest } from "../sessions/agent-scope.ts";
import type { Session } from "../sessions/record.ts";
import { type Imported, type ImportInput, type ImportServices, importTranscripts } from "./import.ts";
import type { Timeline } from "./record.ts";
import { loadTimeline } from "./timeline.ts";

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
    load: (input) => loadTimeline(ground, services, input),
    import: (input) => importTranscripts(ground, services, userHome, input),
  };
}

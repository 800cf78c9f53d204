import type { Payload } from "../../capture/observations/hooks/hook-fields.ts";
import type { ObserveOutcome } from "./observe-outcome.ts";

/** An event of an agent whose hooks leave something out, with what its transcript adds. */
export interface TranscriptRead {
  /** In the format of the hooks; the event itself is the last one. */
  readonly payloads: readonly Payload[];
  /** Why the transcript was not read. */
  readonly failure?: ObserveOutcome;
}

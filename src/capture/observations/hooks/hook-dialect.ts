import type { Payload } from "./hook-fields.ts";

/** How the hooks of one agent speak. */
export interface Dialect {
  readonly agent: string;
  readonly recognises: (payload: Payload, event: string) => boolean;
  /** Where the event's name stands: the first of these that is there. */
  readonly eventKeys: readonly string[];
  readonly sessionKeys: readonly string[];
  /** An event in which nothing happened. */
  readonly tellsNothing?: (payload: Payload, event: string) => boolean;
  /** The agent's name of an event → hookType; an event that is not listed goes by its own name in snake case. */
  readonly hookTypes: Readonly<Record<string, string>>;
  /** The hookType of an event of which its name does not tell enough. */
  readonly hookTypeOf?: (payload: Payload, event: string) => string | undefined;
  readonly cwdOf?: (payload: Payload) => unknown;
  /** Event → the agent's own fields that move to names that are picked up, and facts to add. */
  readonly normalise?: Readonly<Record<string, (data: Payload) => Payload>>;
}

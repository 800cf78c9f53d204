import type { Payload } from "./hook-fields.ts";

/** How the hooks of one agent are read. */
export interface Dialect {
  readonly agent: string;
  readonly recognises: (payload: Payload, event: string) => boolean;
  /** The keys that may hold the event's name; the first one present counts. */
  readonly eventKeys: readonly string[];
  readonly sessionKeys: readonly string[];
  /** Whether an event reports that nothing happened. */
  readonly tellsNothing?: (payload: Payload, event: string) => boolean;
  /** The hookType by the agent's event name. An event that is not listed has its own name in snake case. */
  readonly hookTypes: Readonly<Record<string, string>>;
  /** Overrides the hookType for events whose name does not tell enough. */
  readonly hookTypeOf?: (payload: Payload, event: string) => string | undefined;
  readonly cwdOf?: (payload: Payload) => unknown;
  /** By event name: renames the agent's own fields to names that are picked up, and adds facts. */
  readonly normalise?: Readonly<Record<string, (data: Payload) => Payload>>;
}

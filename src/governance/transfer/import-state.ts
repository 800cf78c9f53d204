import { BoundedCache } from "./bounded-cache.ts";
import type { ImportState } from "./collection.ts";

/** Takes some megabytes of ids. */
const rememberedSources = 50_000;

/** The state before the first row is written. */
export function newImportState(): ImportState {
  return {
    touchedProjects: new Set(),
    sourceKeys: new BoundedCache(rememberedSources),
    nodeKeys: new Map(),
    begun: { node: new Set(), edge: new Set() },
    clearedSessions: new Set(),
    cleared: new Set(),
    waitingActions: new Set(),
    requirements: new Set(),
  };
}

import type { WritingNotes } from "./collection.ts";
import { RecentKeys } from "./recent-keys.ts";

/** Some megabytes of ids. */
const rememberedSources = 50_000;

/** What is noted before the first row is written. */
export function noNotes(): WritingNotes {
  return {
    touchedProjects: new Set(),
    sourceKeys: new RecentKeys(rememberedSources),
    nodeKeys: new Map(),
    begun: { node: new Set(), edge: new Set() },
    clearedSessions: new Set(),
  };
}

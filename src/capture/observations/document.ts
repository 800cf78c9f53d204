import type { DocumentInput } from "../../index/documents.ts";
import type { Compressed } from "./compress.ts";
import type { Event } from "./pickup.ts";

interface Captured {
  readonly id: string;
  readonly event: Pick<Event, "project" | "sessionId" | "timestamp">;
  readonly compressed: Pick<
    Compressed,
    "type" | "title" | "narrative" | "facts" | "concepts" | "files" | "importance"
  >;
  readonly projectKey: string;
  readonly agentId: string | null;
  readonly receivedAt: number;
}

/** What the search index knows of an observation. */
export function observationDocument({
  id,
  event,
  compressed,
  projectKey,
  agentId,
  receivedAt,
}: Captured): DocumentInput {
  return {
    kind: "observation",
    ref: id,
    project: event.project,
    projectKey,
    agentId,
    sessionId: event.sessionId,
    createdAt: event.timestamp,
    updatedAt: receivedAt,
    hiddenAfter: null,
    importance: (compressed.importance - 1) / 9,
    type: compressed.type,
    title: compressed.title,
    body: [compressed.narrative, ...compressed.facts].join("\n"),
    concepts: compressed.concepts,
    files: compressed.files,
  };
}

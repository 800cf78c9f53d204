import type { DocumentText, DocumentWords } from "../../index/documents/document-words.ts";
import type { DocumentInput } from "../../index/documents/documents.ts";
import type { Event } from "./pick-up-fields.ts";
import type { Compressed } from "./rules/compress.ts";

type Texts = Pick<Compressed, "title" | "narrative" | "facts" | "concepts" | "files">;

export interface Captured {
  readonly id: string;
  readonly event: Pick<Event, "project" | "sessionId" | "timestamp">;
  readonly compressed: Texts & Pick<Compressed, "type" | "importance">;
  readonly projectKey: string;
  readonly agentId: string | null;
  readonly receivedAt: number;
  /** The words of `observationText`, if they were computed before. */
  readonly words?: DocumentWords | undefined;
}

/** The texts of an observation for the search index. */
export function observationText({ title, narrative, facts, concepts, files }: Texts): DocumentText {
  return { title, concepts, files, body: [narrative, ...facts].join("\n") };
}

/** The index document of an observation. */
export function observationDocument({
  id,
  event,
  compressed,
  projectKey,
  agentId,
  receivedAt,
  words,
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
    ...observationText(compressed),
    words,
  };
}

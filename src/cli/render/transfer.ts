import type { Terminal } from "../terminal.ts";
import { counted } from "./quantity.ts";

interface ImportAnswer {
  readonly sessions: number;
  readonly observations: number;
  readonly memories: number;
  readonly summaries: number;
  readonly skipped: number;
  readonly counts: Readonly<Record<string, { readonly written: number }>>;
  readonly warnings: readonly string[];
  readonly safetySnapshotId?: string;
}

const ownLine = ["sessions", "observations", "memories", "summaries"];

/** The name of a collection as words: `graph nodes`. */
function inWords(collection: string): string {
  return collection.replace(/[A-Z]/gu, (letter) => ` ${letter.toLowerCase()}`);
}

export function renderStoreImport(answer: ImportAnswer, { paint }: Terminal): string {
  const others = Object.entries(answer.counts).filter(
    ([name, { written }]) => written > 0 && !ownLine.includes(name),
  );
  return [
    `imported ${counted(answer.sessions, "session")}, ${counted(answer.observations, "observation")}, ${counted(answer.memories, "memory", "memories")}, ${counted(answer.summaries, "summary", "summaries")}`,
    ...(others.length === 0
      ? []
      : [`also ${others.map(([name, { written }]) => `${inWords(name)} (${written})`).join(", ")}`]),
    ...(answer.skipped === 0 ? [] : [`${counted(answer.skipped, "row")} changed nothing`]),
    ...(answer.safetySnapshotId === undefined
      ? []
      : [`what was there before: snapshot ${answer.safetySnapshotId}`]),
    ...answer.warnings.map((warning) => `${paint.yellow("warning")} ${warning}`),
  ].join("\n");
}

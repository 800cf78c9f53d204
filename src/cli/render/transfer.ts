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

export function renderStoreImport(answer: ImportAnswer, { paint }: Terminal): string {
  const others = Object.entries(answer.counts).filter(
    ([name, { written }]) => written > 0 && !ownLine.includes(name),
  );
  return [
    `imported ${counted(answer.sessions, "session")}, ${counted(answer.observations, "observation")}, ${counted(answer.memories, "memory", "memories")}, ${counted(answer.summaries, "summary", "summaries")}`,
    ...(others.length === 0
      ? []
      : [`also ${others.map(([name, { written }]) => `${written} ${name}`).join(", ")}`]),
    ...(answer.skipped === 0 ? [] : [`${counted(answer.skipped, "row")} changed nothing`]),
    ...(answer.safetySnapshotId === undefined
      ? []
      : [`what was there before: snapshot ${answer.safetySnapshotId}`]),
    ...answer.warnings.map((warning) => `${paint.yellow("warning")} ${warning}`),
  ].join("\n");
}

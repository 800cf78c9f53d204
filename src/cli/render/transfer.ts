import type { importStore } from "../../governance/transfer/operations.ts";
import type { OutputOf } from "../../operation/define.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { dryRunVerb } from "./dry-run.ts";
import { counted } from "./quantity.ts";

type ImportAnswer = OutputOf<typeof importStore>;

const ownLine = ["sessions", "observations", "memories", "summaries"];

/** A collection's name in words: `graph nodes`. */
function inWords(collection: string): string {
  return collection.replace(/[A-Z]/gu, (letter) => ` ${letter.toLowerCase()}`);
}

export function renderStoreImport(answer: ImportAnswer, { paint }: Terminal): string {
  const others = Object.entries(answer.counts).filter(
    ([name, { written }]) => written > 0 && !ownLine.includes(name),
  );
  return [
    ...deletedFirst(answer),
    `${dryRunVerb(answer, "imported", "import")} ${counted(answer.sessions, "session")}, ${counted(answer.observations, "observation")}, ${counted(answer.memories, "memory", "memories")}, ${counted(answer.summaries, "summary", "summaries")}`,
    ...(others.length === 0
      ? []
      : [`also ${others.map(([name, { written }]) => `${inWords(name)} (${written})`).join(", ")}`]),
    ...(answer.skipped === 0
      ? []
      : [`${counted(answer.skipped, "row")} ${dryRunVerb(answer, "changed", "change")} nothing`]),
    ...(answer.safetySnapshotId === undefined
      ? []
      : [`what was there before: snapshot ${answer.safetySnapshotId}`]),
    ...answer.warnings.map((warning) => `${paint.yellow("warning")} ${warning}`),
  ].join("\n");
}

/** What a replacing import would delete before it writes the file's rows. */
function deletedFirst({ deleted = {} }: ImportAnswer): string[] {
  const groups = Object.entries(deleted).map(([name, count]) => `${inWords(name)} (${count})`);
  return groups.length === 0 ? [] : [`would take a snapshot, and delete ${groups.join(", ")}`];
}

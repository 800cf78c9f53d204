import type { z } from "zod";
import type { restoreSnapshot } from "../../governance/snapshots/operations.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { inColumns } from "./columns.ts";
import { counted, shownBytes } from "./quantity.ts";
import { shownTime } from "./time.ts";

interface Stats {
  readonly sessions: number;
  readonly observations: number;
  readonly memories: number;
}

interface Snapshot {
  readonly id: string;
  readonly createdAt: string;
  readonly message: string;
  readonly kind: string;
  readonly sizeBytes: number;
  readonly stats: Stats;
  readonly commitHash: string;
  readonly missing?: boolean;
}

export function renderSnapshots(
  { snapshots, total }: { readonly snapshots: readonly Snapshot[]; readonly total: number },
  terminal: Terminal,
): string {
  if (snapshots.length === 0) return "no snapshots; make one with: memsvc snapshot create";
  const lines = inColumns(
    snapshots.map((snapshot) => fieldsOf(snapshot, terminal)),
    terminal,
  );
  return total > snapshots.length
    ? [...lines, `${total - snapshots.length} more`].join("\n")
    : lines.join("\n");
}

export function renderSnapshot({ snapshot }: { readonly snapshot: Snapshot }, terminal: Terminal): string {
  return inColumns([fieldsOf(snapshot, terminal)], terminal).join("\n");
}

export function renderVerified({ snapshot }: { readonly snapshot: Snapshot }, { paint }: Terminal): string {
  return `${paint.green("whole")}: ${snapshot.id}, ${held(snapshot.stats)}`;
}

export function renderRestored(answer: z.output<typeof restoreSnapshot.output>): string {
  if (!answer.restored) {
    return [
      `would restore ${answer.snapshotId}: ${held(answer.counts)}`,
      `would put aside, as a snapshot, what is there now: ${held(answer.present)}`,
    ].join("\n");
  }
  return [
    `restored ${answer.snapshotId}: ${held(answer.counts)}`,
    `what was there before: snapshot ${answer.safetySnapshotId}`,
  ].join("\n");
}

function fieldsOf(snapshot: Snapshot, { paint, isForPeople }: Terminal): string[] {
  const file = [
    shownTime(snapshot.createdAt, isForPeople),
    snapshot.kind,
    snapshot.commitHash.slice(0, 10),
    shownBytes(snapshot.sizeBytes),
  ];
  const content = [
    held(snapshot.stats),
    ...(snapshot.message === "" ? [] : [snapshot.message]),
    ...(snapshot.missing === true ? [paint.red("its file is missing")] : []),
  ];
  return [snapshot.id, paint.dim(file.join(" · ")), paint.dim(content.join(" · "))];
}

function held({ sessions, observations, memories }: Stats): string {
  return `${counted(memories, "memory", "memories")}, ${counted(observations, "observation")}, ${counted(sessions, "session")}`;
}

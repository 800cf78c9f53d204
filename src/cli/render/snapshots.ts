import type {
  createSnapshot,
  listSnapshots,
  restoreSnapshot,
  verifySnapshot,
} from "../../governance/snapshots/operations.ts";
import type { Snapshot, SnapshotStats } from "../../governance/snapshots/record.ts";
import type { OutputOf } from "../../operation/define.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { inColumns } from "./columns.ts";
import { pageLines } from "./page-lines.ts";
import { counted, shownBytes } from "./quantity.ts";
import { oneLine } from "./text.ts";
import { shownTime } from "./time.ts";

export function renderSnapshots(
  { snapshots, ...page }: OutputOf<typeof listSnapshots>,
  terminal: Terminal,
): string {
  const nothing = "no snapshots; make one with: memsvc snapshot create";
  return pageLines(page, snapshots, terminal, nothing, (snapshot) => fieldsOf(snapshot, terminal));
}

export function renderSnapshot({ snapshot }: OutputOf<typeof createSnapshot>, terminal: Terminal): string {
  return inColumns([fieldsOf(snapshot, terminal)], terminal).join("\n");
}

export function renderVerified({ snapshot }: OutputOf<typeof verifySnapshot>, { paint }: Terminal): string {
  return `${paint.green("whole")}: ${snapshot.id}, ${held(snapshot.stats)}`;
}

export function renderRestored(answer: OutputOf<typeof restoreSnapshot>): string {
  if (!answer.restored) {
    return [
      `would restore ${answer.snapshotId}: ${held(answer.counts)}`,
      `would first take a snapshot of what is there now: ${held(answer.present)}`,
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
    ...(snapshot.message === "" ? [] : [oneLine(snapshot.message, Number.POSITIVE_INFINITY)]),
    ...(snapshot.missing === true ? [paint.red("its file is missing")] : []),
  ];
  return [snapshot.id, paint.dim(file.join(" · ")), paint.dim(content.join(" · "))];
}

function held({ sessions, observations, memories }: SnapshotStats): string {
  return `${counted(memories, "memory", "memories")}, ${counted(observations, "observation")}, ${counted(sessions, "session")}`;
}

import type {
  createCheckpoint,
  listCheckpoints,
  resolveCheckpoint,
} from "../../coordination/checkpoints/operations.ts";
import type { Checkpoint } from "../../coordination/checkpoints/record.ts";
import type {
  checkSentinels,
  createSentinel,
  listSentinels,
  triggerSentinel,
} from "../../coordination/sentinels/operations.ts";
import type { Sentinel } from "../../coordination/sentinels/record.ts";
import type { OutputOf } from "../../operation/define.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { unblockedLines } from "./actions.ts";
import type { Field } from "./columns.ts";
import { outcome } from "./outcome.ts";
import { pageLines } from "./page-lines.ts";
import { counted } from "./quantity.ts";
import { shownTime } from "./time.ts";

/* Checkpoints and sentinels, which block actions. */

type Gate = Pick<Checkpoint | Sentinel, "id" | "name" | "status" | "type" | "createdAt"> & {
  readonly actionCount: number;
};

export function renderCreatedCheckpoint(
  { checkpoint, blocked }: OutputOf<typeof createCheckpoint>,
  terminal: Terminal,
): string {
  return outcome(terminal, "made", checkpoint.id, { notes: [blocking(blocked)] });
}

export function renderCreatedSentinel(
  { sentinel, blocked }: OutputOf<typeof createSentinel>,
  terminal: Terminal,
): string {
  return outcome(terminal, "watches", sentinel.id, { notes: [blocking(blocked)] });
}

export function renderResolvedCheckpoint(answer: OutputOf<typeof resolveCheckpoint>): string {
  return opened(answer.checkpoint, unblockedLines(answer));
}

/** For a triggered or cancelled sentinel. */
export function renderOpenedSentinel(answer: OutputOf<typeof triggerSentinel>): string {
  return opened(answer.sentinel, unblockedLines(answer));
}

export function renderCheckedSentinels({ triggered, checkedCount }: OutputOf<typeof checkSentinels>): string {
  return [`${triggered.length} of ${counted(checkedCount, "sentinel")} triggered`, ...triggered].join("\n");
}

export function renderCheckpoints(
  { checkpoints, ...page }: OutputOf<typeof listCheckpoints>,
  terminal: Terminal,
): string {
  return pageLines(page, checkpoints, terminal, "no checkpoints found", (one) => row(one, 7, terminal));
}

export function renderSentinels(
  { sentinels, ...page }: OutputOf<typeof listSentinels>,
  terminal: Terminal,
): string {
  return pageLines(page, sentinels, terminal, "no sentinels found", (one) => row(one, 9, terminal));
}

function blocking(blocked: readonly string[]): string {
  return `blocks ${counted(blocked.length, "action")}`;
}

function opened({ id, status }: Checkpoint | Sentinel, unblocked: readonly string[]): string {
  return [`${id} ${status}`, ...unblocked.map((action) => `  unblocked ${action}`)].join("\n");
}

function row(gate: Gate, statusWidth: number, { paint, isForPeople }: Terminal): Field[] {
  const { id, name, status, type, actionCount, createdAt } = gate;
  const facts = `${type}, ${counted(actionCount, "action")}, ${shownTime(createdAt, isForPeople)}`;
  return [id, status.padEnd(statusWidth), { whole: name }, paint.dim(facts)];
}

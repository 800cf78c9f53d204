import type {
  createCheckpoint,
  listCheckpoints,
  resolveCheckpoint,
} from "../../coordination/checkpoints/operations.ts";
import type { OutputOf } from "../../operation/define.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { pageLines } from "./page-lines.ts";
import { counted } from "./quantity.ts";
import { shownTime } from "./time.ts";

export function renderCreatedCheckpoint(
  { checkpoint, blocked }: OutputOf<typeof createCheckpoint>,
  { paint, isForPeople }: Terminal,
): string {
  if (!isForPeople) return checkpoint.id;
  return `${paint.green("made")} ${checkpoint.id}\n${paint.dim(`  blocks ${counted(blocked.length, "action")}`)}`;
}

export function renderResolvedCheckpoint({
  checkpoint,
  unblocked,
}: OutputOf<typeof resolveCheckpoint>): string {
  return [`${checkpoint.id} ${checkpoint.status}`, ...unblocked.map((id) => `  unblocked ${id}`)].join("\n");
}

export function renderCheckpoints(
  { checkpoints, ...page }: OutputOf<typeof listCheckpoints>,
  terminal: Terminal,
): string {
  if (checkpoints.length === 0) return "no checkpoints";
  return pageLines(page, checkpoints, terminal, ({ id, name, status, type, actionCount, createdAt }) => {
    const facts = `${type}, ${counted(actionCount, "action")}, ${shownTime(createdAt, terminal.isForPeople)}`;
    return [id, status.padEnd(7), { whole: name }, terminal.paint.dim(facts)];
  });
}

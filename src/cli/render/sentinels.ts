import type {
  checkSentinels,
  createSentinel,
  listSentinels,
  triggerSentinel,
} from "../../coordination/sentinels/operations.ts";
import type { OutputOf } from "../../operation/define.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { pageLines } from "./page-lines.ts";
import { counted } from "./quantity.ts";
import { shownTime } from "./time.ts";

export function renderCreatedSentinel(
  { sentinel, blocked }: OutputOf<typeof createSentinel>,
  { paint, isForPeople }: Terminal,
): string {
  if (!isForPeople) return sentinel.id;
  return `${paint.green("watches")} ${sentinel.id}\n${paint.dim(`  blocks ${counted(blocked.length, "action")}`)}`;
}

/** Of what was triggered or cancelled. */
export function renderOpenedSentinel({ sentinel, unblocked }: OutputOf<typeof triggerSentinel>): string {
  return [`${sentinel.id} ${sentinel.status}`, ...unblocked.map((id) => `  unblocked ${id}`)].join("\n");
}

export function renderCheckedSentinels({ triggered, checkedCount }: OutputOf<typeof checkSentinels>): string {
  return [`${triggered.length} of ${counted(checkedCount, "sentinel")} triggered`, ...triggered].join("\n");
}

export function renderSentinels(
  { sentinels, ...page }: OutputOf<typeof listSentinels>,
  terminal: Terminal,
): string {
  if (sentinels.length === 0) return "no sentinels";
  return pageLines(page, sentinels, terminal, ({ id, name, status, type, actionCount, createdAt }) => {
    const facts = `${type}, ${counted(actionCount, "action")}, ${shownTime(createdAt, terminal.isForPeople)}`;
    return [id, status.padEnd(9), { whole: name }, terminal.paint.dim(facts)];
  });
}

import type {
  checkSentinels,
  createSentinel,
  listSentinels,
  triggerSentinel,
} from "../../coordination/sentinels/operations.ts";
import type { OutputOf } from "../../operation/define.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { inColumns } from "./columns.ts";
import { counted, moreAfter } from "./quantity.ts";
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
  { paint, isForPeople, columns }: Terminal,
): string {
  if (sentinels.length === 0) return "no sentinels";
  const rows = sentinels.map(({ id, name, status, type, actionCount, createdAt }) => {
    const facts = `${type}, ${counted(actionCount, "action")}, ${shownTime(createdAt, isForPeople)}`;
    return [id, status.padEnd(9), { whole: name }, paint.dim(facts)];
  });
  return [...inColumns(rows, { isForPeople, columns }), ...moreAfter(page, sentinels, paint)].join("\n");
}

import type { readSignals, sendSignal } from "../../coordination/signals/operations.ts";
import type { OutputOf } from "../../operation/define.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { inColumns } from "./columns.ts";
import { outcome } from "./outcome.ts";
import { restAfter } from "./quantity.ts";
import { widthOf } from "./text-width.ts";
import { shownTime } from "./time.ts";
import { wrapLines } from "./wrap-lines.ts";

export function renderSentSignal({ signal }: OutputOf<typeof sendSignal>, terminal: Terminal): string {
  const { id, to = "everybody", threadId } = signal;
  return outcome(terminal, "sent", id, { notes: [`to ${to}, in ${threadId}`] });
}

/** Signals in full, because showing a signal marks it as read. */
export function renderSignals(
  { signals, unread, ...page }: OutputOf<typeof readSignals>,
  { paint, isForPeople, columns }: Terminal,
): string {
  if (signals.length === 0) return "no signals";
  const rest = restAfter(page, signals);
  return [
    ...signals.map(({ id, from, to, type, content, createdAt }) => {
      const way = `${from} → ${to ?? "everybody"}`;
      const facts = paint.dim(`${type}, ${shownTime(createdAt, isForPeople)}`);
      const text = content.trim();
      const whole = `${id}  ${way}  ${paint.bold(text)}  ${facts}`;
      if (!text.includes("\n") && widthOf(whole) <= columns) return whole;
      const lines = text.split("\n").flatMap((line) => wrapLines(line, columns - 2));
      return [
        ...inColumns([[id, way, facts]], { isForPeople, columns }),
        ...lines.map((line) => `  ${paint.bold(line)}`),
      ].join("\n");
    }),
    // No offset is suggested: with --unread-only the signals just read are no longer in the list, so an offset would
    // skip others.
    ...(rest > 0 ? [paint.dim(`… ${rest} more`)] : []),
    ...(unread > 0 ? [paint.dim(`${unread} not read before`)] : []),
  ].join("\n");
}

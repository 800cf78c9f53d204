import type { z } from "zod";
import type { readSignals, sendSignal } from "../../coordination/signals/operations.ts";
import type { Terminal } from "../terminal.ts";
import { oneLine } from "./text.ts";
import { shownTime } from "./time.ts";

export function renderSentSignal(
  { signal }: z.output<typeof sendSignal.output>,
  { paint, isForPeople }: Terminal,
): string {
  if (!isForPeople) return signal.id;
  return `${paint.green("sent")} ${signal.id}\n${paint.dim(`  to ${signal.to ?? "everybody"}, in ${signal.threadId}`)}`;
}

export function renderSignals(
  { signals, total, unread }: z.output<typeof readSignals.output>,
  { paint, isForPeople, columns }: Terminal,
): string {
  if (signals.length === 0) return "no signals";
  const rest = total - signals.length;
  return [
    ...signals.map(({ id, from, to, type, content, createdAt }) => {
      const text = oneLine(content, Math.max(30, columns - 70));
      const facts = `${type}, ${shownTime(createdAt, isForPeople)}`;
      return `${id}  ${from} → ${to ?? "everybody"}  ${paint.bold(text)}  ${paint.dim(facts)}`;
    }),
    ...(rest > 0 ? [paint.dim(`… ${rest} more`)] : []),
    ...(unread > 0 ? [paint.dim(`${unread} not read before`)] : []),
  ].join("\n");
}

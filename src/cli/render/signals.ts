import type { z } from "zod";
import type { readSignals, sendSignal } from "../../coordination/signals/operations.ts";
import type { Terminal } from "../terminal.ts";
import { restAfter } from "./quantity.ts";
import { shownTime } from "./time.ts";

export function renderSentSignal(
  { signal }: z.output<typeof sendSignal.output>,
  { paint, isForPeople }: Terminal,
): string {
  if (!isForPeople) return signal.id;
  return `${paint.green("sent")} ${signal.id}\n${paint.dim(`  to ${signal.to ?? "everybody"}, in ${signal.threadId}`)}`;
}

/** Whole signals: whoever has been shown them counts as having read them. */
export function renderSignals(
  { signals, unread, ...page }: z.output<typeof readSignals.output>,
  { paint, isForPeople, columns }: Terminal,
): string {
  if (signals.length === 0) return "no signals";
  const rest = restAfter(page, signals);
  return [
    ...signals.map(({ id, from, to, type, content, createdAt }) => {
      const head = `${id}  ${from} → ${to ?? "everybody"}`;
      const facts = paint.dim(`${type}, ${shownTime(createdAt, isForPeople)}`);
      const text = content.trim();
      const fits = !text.includes("\n") && text.length <= Math.max(30, columns - 70);
      if (fits) return `${head}  ${paint.bold(text)}  ${facts}`;
      const lines = text.split("\n").map((line) => `  ${paint.bold(line)}`);
      return [`${head}  ${facts}`, ...lines].join("\n");
    }),
    // With --unread-only what was read just now is no longer in the list, so an offset would pass over others.
    ...(rest > 0 ? [paint.dim(`… ${rest} more`)] : []),
    ...(unread > 0 ? [paint.dim(`${unread} not read before`)] : []),
  ].join("\n");
}

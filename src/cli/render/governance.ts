import type { listAudit } from "../../governance/audit/operations.ts";
import type { flags, health } from "../../governance/health/operations.ts";
import type { OutputOf } from "../../operation/define.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { pageLines } from "./page-lines.ts";
import { counted, shownBytes, shownDuration } from "./quantity.ts";
import { shownTime } from "./time.ts";
import { hangingIndent, wrapLines } from "./wrap-lines.ts";

export function renderAudit(answer: OutputOf<typeof listAudit>, terminal: Terminal): string {
  const { paint, isForPeople, columns } = terminal;
  const mostTargets = isForPeople && columns < 120 ? 1 : 3;
  return pageLines(answer, answer.entries, terminal, "no entries found", ({ targetIds, ...entry }) => {
    const named = targetIds.slice(0, mostTargets).join(", ");
    const others = targetIds.length - mostTargets;
    return [
      shownTime(entry.timestamp, isForPeople),
      paint.bold(entry.operation),
      others > 0 ? `${named} and ${others} more` : named,
      { whole: JSON.stringify(entry.details), paint: paint.dim },
    ];
  });
}

export function renderHealth(
  { status, version, health: snapshot, llm }: OutputOf<typeof health>,
  { paint }: Terminal,
): string {
  const colour = { healthy: paint.green, degraded: paint.yellow, critical: paint.red }[status];
  return [
    `${colour(status)}, memsvc ${version}, up ${shownDuration(snapshot.uptimeSeconds)}`,
    `documents ${snapshot.index.documents}, database ${shownBytes(snapshot.database.sizeBytes)}, write-ahead log ${shownBytes(snapshot.database.walBytes)}, memory ${shownBytes(snapshot.memory.rss)}`,
    `jobs: ${snapshot.jobs.queued} waiting, ${snapshot.jobs.running} running, ${snapshot.jobs.failed} failed`,
    `language model: ${modelLine(llm)}`,
    ...snapshot.alerts.map((alert) => paint.yellow(`alert: ${alert}`)),
    ...snapshot.notes.map((note) => `note: ${note}`),
  ].join("\n");
}

/** The model in use, and its usage today. */
export function modelLine({ provider, model, today }: OutputOf<typeof health>["llm"]): string {
  if (provider === "noop") return "none";
  const budget = today.budget === null ? "" : ` of ${today.budget}`;
  const failures = Object.values(today.byPurpose).reduce((sum, purpose) => sum + purpose.failures, 0);
  const failed = failures === 0 ? "" : ` (${failures} failed)`;
  return `${provider} ${model ?? ""}, today ${counted(today.calls, "call")}${failed}, ${today.tokens}${budget} tokens`;
}

export function renderFlags(answer: OutputOf<typeof flags>, { paint, columns }: Terminal): string {
  const lines = [...answer.flags, ...answer.features].flatMap((flag) => {
    const on = flag.effective ? paint.green("on ") : paint.yellow("on, but not effective");
    const state = flag.enabled ? on : "off";
    return [
      hangingIndent(`${flag.key.padEnd(26)} ${state}  `, flag.description, columns),
      ...(flag.effective ? [] : wrapLines(flag.enableHow, columns - 2).map((line) => `  ${paint.dim(line)}`)),
    ];
  });
  const model = answer.provider === "noop" ? "none" : answer.provider;
  return [`language model: ${model}; embeddings: ${answer.embeddingProvider}`, ...lines].join("\n");
}

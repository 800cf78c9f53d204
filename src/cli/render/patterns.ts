import type { findPatterns, generateRules } from "../../knowledge/patterns/operations.ts";
import type { OutputOf } from "../../operation/define.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { inColumns } from "./columns.ts";

const names = { co_change: "together", error_repeat: "error", workflow: "workflow" } as const;

export function renderPatterns({ patterns }: OutputOf<typeof findPatterns>, terminal: Terminal): string {
  if (patterns.length === 0) return "nothing recurs yet";
  const rows = patterns.map(({ type, frequency, description }) => [
    terminal.paint.dim(names[type].padEnd(8)),
    `${String(frequency).padStart(4)}×`,
    { whole: description },
  ]);
  return inColumns(rows, terminal).join("\n");
}

/** The rules are meant to be appended to an agent's instructions, so "none" must not be printed as a result. */
export function renderRules({ rules }: OutputOf<typeof generateRules>, { say }: Terminal): string {
  if (rules.length === 0) say("no rules yet");
  return rules.map((rule) => `- ${rule}`).join("\n");
}

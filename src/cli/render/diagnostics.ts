import type { diagnose, heal } from "../../governance/diagnostics/operations.ts";
import type { OutputOf } from "../../operation/define.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { dryRunVerb } from "./dry-run.ts";
import { counted } from "./quantity.ts";
import { hangingIndent } from "./wrap-lines.ts";

/** Problems first; what is sound is summed up in one line at the end. */
export function renderDiagnosis({ checks }: OutputOf<typeof diagnose>, { paint, columns }: Terminal): string {
  const marks = { fail: paint.red("fail"), warn: paint.yellow("warn"), pass: paint.green("ok  ") };
  const wrong = checks.filter(({ status }) => status !== "pass");
  const sound = checks.filter(({ status }) => status === "pass").map(({ category }) => category);
  return [
    ...wrong.map(({ status, category, name, message, ids = [], fixable, hint }) => {
      const shown =
        ids.length === 0 ? "" : paint.dim(` (${ids.slice(0, 3).join(", ")}${ids.length > 3 ? ", …" : ""})`);
      const wayOut = fixable ? "" : paint.dim(`; ${hint ?? "check it yourself"}`);
      return `${marks[status]}  ${category.padEnd(10)}  ${name}: ${message}${shown}${wayOut}`;
    }),
    ...(sound.length === 0 ? [] : [hangingIndent(`${marks.pass}  `, sound.join(", "), columns)]),
  ].join("\n");
}

export function renderHealing(answer: OutputOf<typeof heal>, { paint }: Terminal): string {
  const { fixed, skipped, skippedFindings, details } = answer;
  return [
    `${dryRunVerb(answer, "fixed", "fix")} ${counted(fixed, "record")}${skipped === 0 ? "" : `; left ${counted(skipped, "finding")}`}`,
    ...details.map((line) => `  ${line}`),
    ...skippedFindings.map(
      ({ name, message, reason, hint }) => `  left ${name}: ${message}; ${paint.dim(`${reason}; ${hint}`)}`,
    ),
  ].join("\n");
}

import type { OutputOf } from "../../operation/define.ts";
import type { exportVault } from "../../sharing/vault/operations.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { dryRunVerb } from "./dry-run.ts";
import { counted } from "./quantity.ts";

export function renderVault(answer: OutputOf<typeof exportVault>, { paint }: Terminal): string {
  if ("queued" in answer) return `the export goes on as job ${answer.jobId}`;
  const { exported, vaultDir, removed, errors = [] } = answer;
  const notes = Object.values(exported).reduce((sum, count) => sum + count, 0);
  const kinds = [
    counted(exported.memories, "memory", "memories"),
    counted(exported.lessons, "lesson"),
    counted(exported.crystals, "crystal"),
    counted(exported.sessions, "session"),
  ];
  return [
    `${paint.green(dryRunVerb(answer, "wrote", "write"))} ${counted(notes, "note")} to ${vaultDir}/memsvc`,
    paint.dim(`  ${kinds.join(", ")}; ${removed} ${answer.dryRun === true ? "to be removed" : "removed"}`),
    ...errors.map(({ file, error }) => `${paint.yellow("left out")} ${file}: ${error}`),
  ].join("\n");
}

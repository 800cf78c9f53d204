import type { OutputOf } from "../../operation/define.ts";
import type { readMemoryFile, syncMemoryFile } from "../../sharing/bridge/operations.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { counted } from "./quantity.ts";

export function renderMemoryFile({ content, path, parsed }: OutputOf<typeof readMemoryFile>): string {
  return parsed ? content.trimEnd() : `there is no file ${path} yet`;
}

export function renderSynced(
  { path, lines, memories, changed, dryRun }: OutputOf<typeof syncMemoryFile>,
  { paint }: Terminal,
): string {
  const what = `${counted(memories, "memory", "memories")} on ${counted(lines, "line")}`;
  if (changed && dryRun === true) return `would write ${path}\n  ${what}`;
  return changed ? `${paint.green("written")} ${path}\n  ${what}` : `${path} is up to date\n  ${what}`;
}

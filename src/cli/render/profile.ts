import type { getProfile } from "../../knowledge/profiles/operations.ts";
import type { OutputOf } from "../../operation/define.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { wrapLines } from "./wrap-lines.ts";

export function renderProfile(
  { profile }: OutputOf<typeof getProfile>,
  { paint, columns }: Terminal,
): string {
  const sections: readonly (readonly [string, readonly string[]])[] = [
    ["concepts", profile.topConcepts.map(({ concept, frequency }) => `${concept} (${frequency})`)],
    ["files", profile.topFiles.map(({ file, frequency }) => `${file} (${frequency})`)],
    ["conventions", profile.conventions],
    ["common errors", profile.commonErrors],
    ["recent activity", profile.recentActivity],
  ];
  const shown = sections
    .filter(([, items]) => items.length > 0)
    .map(([name, items]) => [paint.dim(`${name}:`), ...items.map((item) => `- ${item}`)].join("\n"));
  return [paint.bold(profile.project), ...wrapLines(profile.summary, columns), ...shown].join("\n");
}

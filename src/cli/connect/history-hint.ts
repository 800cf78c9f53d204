import { existsSync } from "node:fs";
import { join } from "node:path";
import { importCommand, transcriptFolders } from "../../capture/replay/formats/transcript-folders.ts";
import type { Places } from "./places.ts";

/** A hint for agents that were used before they were connected: what they did can be imported. */
export function historyHint(
  agents: readonly { readonly name: string }[],
  { home }: Places,
): string | undefined {
  const known = agents
    .map(({ name }) => name)
    .filter((name) => {
      const folder = transcriptFolders[name];
      return folder !== undefined && existsSync(join(home, folder));
    });
  return known.length === 0
    ? undefined
    : `earlier sessions are not known yet; to import their transcripts: ${importCommand(known)}`;
}

import { historyFolders, importCommand } from "../../capture/replay/formats/transcript-folders.ts";
import type { Places } from "./places.ts";

/** A hint for agents that were used before they were connected: what they did can be imported. */
export function historyHint(
  agents: readonly { readonly name: string }[],
  places: Places,
): string | undefined {
  const folders = new Set(agents.flatMap(({ name }) => historyFolders(places, name)));
  return folders.size === 0
    ? undefined
    : `earlier sessions are not known yet; to import their transcripts: ${importCommand([...folders], places)}`;
}

import { fence } from "../context/block.ts";
import { safeLine } from "../context/safe-text.ts";

interface FencedNotes {
  /** Empty when there is nothing to say. */
  readonly text: string;
  readonly truncated: boolean;
}

/** Lines of stored text inside a fence, as many as fit into a number of characters, fence included. */
export function fencedNotes(
  tag: string,
  project: string | undefined,
  lines: readonly string[],
  maxCharacters: number,
): FencedNotes {
  if (lines.length === 0) return { text: "", truncated: false };
  const { open, close } = fence(tag, project);
  let text = open;
  let shown = 0;
  for (const line of lines) {
    const written = `${safeLine(line)}\n`;
    if (text.length + written.length + close.length > maxCharacters) break;
    text += written;
    shown += 1;
  }
  return shown === 0
    ? { text: "", truncated: true }
    : { text: text + close, truncated: shown < lines.length };
}

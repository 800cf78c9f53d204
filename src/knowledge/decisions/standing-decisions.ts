import { withoutSentenceEnd } from "../../text/sentence-ends.ts";
import type { MemoryVersion } from "../memories/versions/newest-versions.ts";
import { standing } from "./replaced-decisions.ts";

interface DecidingSession {
  readonly id: string;
  /** When it ended, or was last active: what was decided or remembered before then replaces nothing that it decided. */
  readonly lastActiveAt: number;
  /** The last one first. */
  readonly keyDecisions: readonly string[];
}

/** A shorter text may be a part of another by chance. */
const shortestQuoted = 15;

/**
 * By session: its decisions that still hold. Those that a later session or a memory replaces are left out, and those
 * that only a replaced version of a memory tells.
 */
export function standingDecisions(
  sessions: readonly DecidingSession[],
  memories: readonly MemoryVersion[],
): Map<string, string[]> {
  const latest = memories.filter(({ isLatest }) => isLatest);
  const replaced = memories.filter(({ isLatest }) => !isLatest);
  const made = sessions.flatMap(({ id, lastActiveAt, keyDecisions }) =>
    keyDecisions.map((text, place) => ({ id, text, at: lastActiveAt, place })),
  );
  const kept = latest.map(({ content, createdAt }) => ({ text: content, at: createdAt, place: 0 }));
  const held = standing(made, kept).filter(({ text }) => !isToldBy(text, replaced) || isToldBy(text, latest));
  return new Map(sessions.map(({ id }) => [id, held.filter((one) => one.id === id).map(({ text }) => text)]));
}

function isToldBy(decision: string, memories: readonly MemoryVersion[]): boolean {
  const said = withoutSentenceEnd(decision);
  return (
    said.length >= shortestQuoted &&
    memories.some(({ content }) => content.includes(said) || isMostOf(withoutSentenceEnd(content), said))
  );
}

/** A longer text decides more than what it quotes. */
function isMostOf(part: string, text: string): boolean {
  return text.includes(part) && 2 * part.length > text.length;
}

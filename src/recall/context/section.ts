import type { SessionRow } from "../../capture/sessions/record.ts";
import type { ProjectView } from "../../capture/sessions/view.ts";

/**
 * The sections in the order in which they are shown, each with its share of the budget. Room that a section leaves
 * passes to the next; what is left at the end goes to the memories.
 */
const sectionPlan = [
  { kind: "pinned", title: "Pinned notes", share: 0.25 },
  { kind: "profile", title: "Project profile", share: 0.15 },
  { kind: "memories", title: "Memories", share: 0.35 },
  { kind: "lessons", title: "Lessons", share: 0.1 },
  { kind: "sessions", title: "Recent sessions", share: 0.15 },
] as const;

/** Comes first if it is asked for; the others share the rest of the budget. */
const ownSession = { kind: "own", title: "This session so far", share: 0.25 } as const;

export type SectionKind = (typeof sectionPlan)[number]["kind"] | typeof ownSession.kind;

interface PlannedSection {
  readonly kind: SectionKind;
  readonly title: string;
  readonly share: number;
}

/** The sections for a request. */
export function plannedSections({
  includeOwn,
}: Pick<ContextRequest, "includeOwn">): readonly PlannedSection[] {
  if (!includeOwn) return sectionPlan;
  return [ownSession, ...sectionPlan.map((one) => ({ ...one, share: one.share * (1 - ownSession.share) }))];
}

/** One line of an item, as stored; it is made safe when the block is written. */
export interface Line {
  /**
   * `item`: `- text`. `detail`: the same, indented. `label`: `**text**`. `quote`: `> ` before each line of the text.
   */
  readonly kind: "item" | "detail" | "label" | "quote";
  readonly text: string;
  /**
   * The text of a line without its label, if it is the only one of its item; an item of another section whose lines
   * contain its sentences makes it superfluous.
   */
  readonly says?: string;
}

/** An item is shown whole or not at all, except for spare lines and for text that grows at its end (`grownAt`). */
export interface SectionItem {
  readonly lines: readonly Line[];
  /**
   * Groups of lines that may be left out, the first group first. The first item of a section keeps them as long as it
   * fits with them; other items only when nothing is left out for them.
   */
  readonly spare?: readonly (readonly Line[])[];
  /** When the text that it quotes at its end last grew (ISO 8601). Such a text may be cut to its last lines. */
  readonly grownAt?: string;
  /** How many of the section's items with such a limit are shown, not counting those that others repeat. */
  readonly most?: number;
  /** The memory that it shows, which counts as recalled when the item is in the block. */
  readonly memoryId?: string;
}

/** Who asks, and for what. */
export interface ContextRequest {
  readonly project: string;
  readonly view: ProjectView;
  /** The asking session, which is left out of the sections on other sessions. It need not exist. */
  readonly sessionId: string;
  /** Whether to add a section on what the session itself did so far. */
  readonly includeOwn: boolean;
  readonly session: SessionRow | undefined;
  /** Working folder of the request, else of the session. */
  readonly cwd: string | undefined;
  readonly now: number;
}

/** Returns the items of a section, most useful first. */
export type Section = (request: ContextRequest) => Promise<readonly SectionItem[]>;

import type { SessionRow } from "../../capture/sessions/record.ts";
import type { ProjectView } from "../../capture/sessions/view.ts";

/**
 * The sections in the order in which they are shown, each with its first share of the budget. What one leaves
 * over passes on to the next; what is left at the end goes back to the memories.
 */
const sectionPlan = [
  { kind: "pinned", title: "Pinned notes", share: 0.25 },
  { kind: "profile", title: "Project profile", share: 0.15 },
  { kind: "memories", title: "Memories", share: 0.35 },
  { kind: "lessons", title: "Lessons", share: 0.1 },
  { kind: "sessions", title: "Recent sessions", share: 0.15 },
] as const;

/** Comes first where it is asked for; the others share what it leaves. */
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
  /** `item`: `- text`. `detail`: the same, indented. `label`: `**text**`. `quote`: `> ` before each line of the text. */
  readonly kind: "item" | "detail" | "label" | "quote";
  readonly text: string;
  /** What a spare line says behind its label, where it need not be said again beside a line of another section. */
  readonly says?: string;
}

/** What is shown whole or not at all, unless it grows or has lines that may go. */
export interface SectionItem {
  readonly lines: readonly Line[];
  /**
   * Further lines in groups, shown as far as there is room; when it is short, the first group is dropped first. A section's
   * first item keeps them for as long as it fits; the others get theirs only where no item is left out for them.
   */
  readonly spare?: readonly (readonly Line[])[];
  /** When the text that it quotes at its end last grew, as a time in ISO 8601: without room for all, its last lines will do. */
  readonly grownAt?: string;
  /** The memory that it shows, which counts as recalled when the item is in the block. */
  readonly memoryId?: string;
}

/** Who asks, and for what. */
export interface ContextRequest {
  readonly project: string;
  readonly view: ProjectView;
  /** Its observations and its summary are left out of what is told of others; it need not exist. */
  readonly sessionId: string;
  /** Whether what it did so far is told, too. */
  readonly includeOwn: boolean;
  readonly session: SessionRow | undefined;
  /** Working folder of the request, else of the session. */
  readonly cwd: string | undefined;
  readonly now: number;
}

/** Brings what a section has to say, most useful first. */
export type Section = (request: ContextRequest) => Promise<readonly SectionItem[]>;

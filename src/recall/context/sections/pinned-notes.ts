import type { Slots } from "../../../knowledge/slots/slots.ts";
import type { Section } from "../section.ts";

/** The pinned slots that are not empty. They grow at their end. */
export function pinnedNotesSection(slots: Pick<Slots, "pinned">): Section {
  return async ({ view }) => {
    const pinned = await slots.pinned(view);
    return pinned.map(({ label, content, updatedAt }) => ({
      lines: [
        { kind: "label", text: label },
        { kind: "quote", text: content },
      ],
      grownAt: updatedAt,
    }));
  };
}

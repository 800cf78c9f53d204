import { decayThreshold } from "../../../knowledge/conclusions/confidence.ts";
import type { Lessons } from "../../../knowledge/lessons/lessons.ts";
import { shortened } from "../safe-text.ts";
import type { Section } from "../section.ts";

const mostLessons = 10;
const longestLesson = 300;

/**
 * Lessons of the project and those without a project, by confidence, highest first. Faded ones are only found by
 * search.
 */
export function lessonsSection(lessons: Pick<Lessons, "surest">): Section {
  return async ({ view }) => {
    const surest = await lessons.surest(view, mostLessons, decayThreshold);
    return surest.map(({ confidence, content }) => ({
      lines: [
        {
          kind: "item",
          text: `(${confidence.toFixed(2)}) ${shortened(content, longestLesson)}`,
          // The session that it was learned in may tell it in the same words.
          says: content,
        },
      ],
    }));
  };
}

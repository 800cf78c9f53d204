import { cutCodePoints } from "../../text/code-points.ts";
import { withFittingParts } from "../../text/fitting-parts.ts";
import { introducedList, listMark } from "../../text/lists.ts";
import { sentencesOf } from "../../text/sentences.ts";
import type { Material } from "./material.ts";

const limits = {
  narrative: 20_000,
  result: 1_000,
  shortResult: 20,
  outcome: 1_000,
  lessons: 50,
  lesson: 500,
} as const;
const lessonCue = /\b(?:lessons?|learned|learnt|next time)\b/iu;

/** The content of a crystal. */
export interface Condensed {
  readonly narrative: string;
  readonly keyOutcomes: string[];
  readonly filesAffected: string[];
  readonly lessons: string[];
}

/** Without a model: the actions line by line, their results, and the sentences that read like lessons. */
export function condenseByRules({ actions, files }: Material): Condensed {
  const results = actions.flatMap(({ status, result }) =>
    result === null || result.trim() === "" ? [] : [{ status, text: result.trim() }],
  );
  const outcomes = results.filter(({ status }) => status === "done");
  const room = { most: limits.narrative, longest: limits.result, shortest: limits.shortResult };
  return {
    narrative: withFittingParts(
      (longest) => actions.map((action) => lineOf(action, longest)).join("\n"),
      room,
    ),
    keyOutcomes: [...new Set(outcomes.map(({ text }) => cutCodePoints(text, limits.outcome)))],
    filesAffected: [...files],
    lessons: lessonsIn(results.map(({ text }) => text)),
  };
}

/** The sentences that say what was learned, and the items of lists that they introduce, each once. */
export function lessonsIn(texts: readonly string[]): string[] {
  const lessons = new Set<string>();
  for (const text of texts) {
    for (const lesson of taughtIn(text)) {
      lessons.add(cutCodePoints(lesson, limits.lesson));
      if (lessons.size === limits.lessons) return [...lessons];
    }
  }
  return [...lessons];
}

function* taughtIn(text: string): Generator<string> {
  const lines = text.split("\n").map((line) => line.trim());
  let from = 0;
  for (const [at, line] of lines.entries()) {
    if (at < from || !lessonCue.test(line)) continue;
    const { items, end } = introducedList(lines, at);
    if (end === 0) continue;
    yield* sentencesWithCue(lines.slice(from, at));
    yield* items.map((item) => item.replace(listMark, ""));
    from = end;
  }
  yield* sentencesWithCue(lines.slice(from));
}

function* sentencesWithCue(lines: readonly string[]): Generator<string> {
  for (const sentence of sentencesOf(lines.join("\n")))
    if (lessonCue.test(sentence)) yield fromLesson(sentence);
}

/**
 * A sentence without the clauses, up to a semicolon, that only tell what was done before: `Moved 5 rows; lesson: …`.
 */
function fromLesson(sentence: string): string {
  const before = sentence.slice(0, sentence.search(lessonCue));
  return sentence.slice(before.lastIndexOf(";") + 1).trim();
}

function lineOf({ title, result, status }: Material["actions"][number], longestResult: number): string {
  const what = status === "cancelled" ? `${title} (cancelled)` : title;
  const outcome = (result ?? "").replace(/\s+/gu, " ").trim();
  return outcome === "" ? what : `${what}: ${cutCodePoints(outcome, longestResult)}`;
}

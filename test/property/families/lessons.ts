import fc from "fast-check";
import { expect } from "vitest";
import {
  deleteLesson,
  listLessons,
  saveLesson,
  searchLessons,
  strengthenLesson,
} from "../../../src/knowledge/lessons/operations.ts";
import { weekMs } from "../../../src/time/durations.ts";
import { type Doing, picked, type StepOf } from "../doing.ts";
import { agent, pick, project, projects, text } from "../given.ts";
import { drop, type ModelLesson } from "../model.ts";
import type { World } from "../world.ts";

export const lessonKinds = {
  lesson: fc.record({
    kind: fc.constant("lesson" as const),
    text,
    project,
    agent,
    confidence: fc.constantFrom(undefined, 0, 0.15, 0.5, 0.9, 1),
  }),
  strengthen: fc.record({ kind: fc.constant("strengthen" as const), pick }),
  deleteLesson: fc.record({ kind: fc.constant("delete lesson" as const), pick }),
};

export const doLessons: Doing<StepOf<typeof lessonKinds>> = {
  lesson: async (world, { text: said, project: of, agent: agentId, confidence }) => {
    const word = world.word();
    const input = { content: world.written(said, word), project: of, agentId, confidence };
    const { action, lesson } = await world.ok(saveLesson, input);
    expect(action).toBe("created");
    const now = world.http.now();
    const made = { word, project: of, agent: agentId, confidence: confidence ?? 0.5, confirmedAt: now };
    const known: ModelLesson = { ...made, id: lesson.id, content: lesson.content, reinforcements: 0 };
    world.model.lessons.set(lesson.id, known);
    const again = await world.ok(saveLesson, { ...input, content: ` ${input.content.toUpperCase()} ` });
    // A secret in capitals is not redacted, so the text is another one.
    if (input.content === lesson.content || again.action === "strengthened") {
      expect(again).toMatchObject({ action: "strengthened", lesson: { id: lesson.id } });
      reinforce(known, now);
    } else {
      const { id, content } = again.lesson;
      world.model.lessons.set(id, { ...made, id, content, reinforcements: 0 });
    }
  },
  strengthen: async (world, { pick: at }) => {
    const known = picked(world.model.lessons, at);
    if (known === undefined) return;
    const { lesson } = await world.ok(strengthenLesson, { lessonId: known.id });
    reinforce(known, world.http.now());
    expect(lesson).toMatchObject({ content: known.content, reinforcements: known.reinforcements });
  },
  "delete lesson": async (world, { pick: at }) => {
    const known = picked(world.model.lessons, at);
    if (known === undefined) return;
    const [, real] = await world.deleted(deleteLesson, { lessonId: known.id });
    expect(real.status).toBe(200);
    drop(world.model, [known.id]);
    expect((await world.reply(deleteLesson, { lessonId: known.id })).status).toBe(404);
  },
};

/** The daily sweep, which deletes lessons that have faded and were never confirmed. */
export async function sweepFaded(world: World): Promise<void> {
  const { model, http } = world;
  const faded = [...model.lessons.values()].filter(
    (lesson) => lesson.reinforcements === 0 && confidenceOf(lesson, http.now()) <= 0.1,
  );
  expect((await http.core.dropFaded()).lessons).toBe(faded.length);
  drop(
    model,
    faded.map(({ id }) => id),
  );
}

/** It loses 0.05 with each full week in which nothing confirms it. */
function confidenceOf({ confidence, confirmedAt }: ModelLesson, now: number): number {
  const weeks = Math.floor((now - confirmedAt) / weekMs);
  return Math.round(Math.max(0.05, confidence - 0.05 * weeks) * 10_000) / 10_000;
}

function reinforce(lesson: ModelLesson, now: number): void {
  const confidence = confidenceOf(lesson, now);
  lesson.confidence = confidence + 0.1 * (1 - confidence);
  lesson.confirmedAt = now;
  lesson.reinforcements += 1;
}

/** Whether searches show the lesson. */
export function isTrusted(lesson: ModelLesson, now: number): boolean {
  return confidenceOf(lesson, now) >= 0.1;
}

/** Expects the lists of lessons, for all and for each project, by confidence, highest first. */
export async function expectLessonsListed(world: World): Promise<void> {
  const now = world.http.now();
  const all = [...world.model.lessons.values()];
  const asked = [{}, { minConfidence: 0.5 }, ...projects.map((of) => ({ project: of }))];
  for (const input of asked) {
    const { lessons, total } = await world.ok(listLessons, { ...input, limit: 500 });
    const expected = all
      .filter(
        (lesson) => !("project" in input) || [undefined, input.project as string].includes(lesson.project),
      )
      .filter((lesson) => !("minConfidence" in input) || confidenceOf(lesson, now) >= input.minConfidence)
      .map((lesson) => `${lesson.id} ${confidenceOf(lesson, now)} ${lesson.reinforcements}`)
      .sort();
    const shown = lessons.map(
      ({ id, confidence, reinforcements }) => `${id} ${confidence} ${reinforcements}`,
    );
    expect(shown.sort(), JSON.stringify(input)).toEqual(expected);
    expect(total).toBe(expected.length);
    const confidences = lessons.map(({ confidence }) => confidence);
    expect(confidences).toEqual(confidences.toSorted((a, b) => b - a));
  }
}

/** Expects that each lesson is found by its word as long as it is trusted. */
export async function expectLessonsFound(world: World): Promise<void> {
  for (const lesson of world.model.lessons.values()) {
    const { lessons } = await world.ok(searchLessons, { query: lesson.word });
    expect(
      lessons.some(({ id }) => id === lesson.id),
      `${lesson.id} by ${lesson.word}`,
    ).toBe(isTrusted(lesson, world.http.now()));
  }
}

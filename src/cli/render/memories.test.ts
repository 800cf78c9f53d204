import { expect, test } from "vitest";
import { renderForgotten } from "./memories.ts";

type Answer = Parameters<typeof renderForgotten>[0];

const forgotten: Answer = { deleted: 2, notFound: [], deletedMemories: 0, deletedObservations: 1 };

const fates: readonly (readonly [Partial<Answer>, string])[] = [
  [{ summary: "deleted" }, "deleted 1 observation and 1 session with its summary"],
  [{ summary: "deleted", dryRun: true }, "would delete 1 observation and 1 session with its summary"],
  [
    { summary: "renewed", deleted: 1 },
    "deleted 1 observation; the session's summary was made again from what is left",
  ],
  [
    { summary: "renewed", deleted: 1, dryRun: true },
    "would delete 1 observation; the session's summary would be made again from what is left",
  ],
  [
    { summary: "kept", deleted: 1, derived: ["sem_1"] },
    "deleted 1 observation; the session's summary is kept: --include-session deletes it, too; with 1 fact, procedure or insight derived from it",
  ],
];

test.each(fates)("forgetting tells what becomes of the session's summary: %j", (answer, told) => {
  expect(renderForgotten({ ...forgotten, ...answer })).toBe(told);
});

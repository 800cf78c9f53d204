import fc from "fast-check";
import type { StepOf } from "./doing.ts";
import { lessonKinds } from "./families/lessons.ts";
import { slotKinds } from "./families/slots.ts";
import { agent, agents, pick, project, projects, session, text } from "./given.ts";

/*
 * The steps of random histories. A step refers to a record by a number, which picks one of those that exist by then, so
 * a history stays meaningful when shrinking leaves steps out.
 */

const filter = fc.record(
  {
    project: fc.constantFrom(...projects),
    agentId: fc.constantFrom(...agents),
    type: fc.constantFrom(["fact" as const], ["bug" as const, "pattern" as const]),
  },
  { requiredKeys: ["project"] },
);

const kinds = {
  remember: fc.record({
    kind: fc.constant("remember" as const),
    text,
    project,
    agent,
    type: fc.option(fc.constantFrom("fact" as const, "bug" as const, "pattern" as const), { nil: undefined }),
    ttlDays: fc.constantFrom(undefined, undefined, 0.5, 3),
  }),
  again: fc.record({ kind: fc.constant("again" as const), pick, change: fc.boolean() }),
  evolve: fc.record({ kind: fc.constant("evolve" as const), pick, text }),
  forget: fc.record({ kind: fc.constant("forget" as const), pick, restorePrevious: fc.boolean() }),
  deleteByIds: fc.record({
    kind: fc.constant("delete by ids" as const),
    picks: fc.array(pick, { minLength: 1, maxLength: 3 }),
    unknown: fc.boolean(),
  }),
  bulkDelete: fc.record({ kind: fc.constant("bulk delete" as const), filter }),
  relate: fc.record({
    kind: fc.constant("relate" as const),
    from: pick,
    to: pick,
    type: fc.constantFrom("related" as const, "extends" as const, "contradicts" as const),
  }),
  observe: fc.record({
    kind: fc.constant("observe" as const),
    session,
    hookType: fc.constantFrom("prompt_submit", "post_tool_use", "stop"),
    text,
  }),
  observeAgain: fc.record({ kind: fc.constant("observe again" as const), pick }),
  forgetSession: fc.record({
    kind: fc.constant("forget session" as const),
    session,
    includeSession: fc.boolean(),
  }),
  forgetObservation: fc.record({ kind: fc.constant("forget observation" as const), pick }),
  end: fc.record({ kind: fc.constant("end" as const), session }),
  ...lessonKinds,
  ...slotKinds,
  wait: fc.record({
    kind: fc.constant("wait" as const),
    minutes: fc.constantFrom(1, 4, 6, 700, 5_000, 11_000),
  }),
  sweep: fc.record({
    kind: fc.constant("sweep" as const),
    which: fc.constantFrom("evict" as const, "auto-forget" as const, "faded" as const),
  }),
  snapshot: fc.record({ kind: fc.constant("snapshot" as const) }),
  restore: fc.record({ kind: fc.constant("restore" as const), pick }),
  importSelf: fc.record({
    kind: fc.constant("import self" as const),
    strategy: fc.constantFrom("merge" as const, "skip" as const, "replace" as const),
  }),
  carryOver: fc.record({ kind: fc.constant("carry over" as const) }),
  reopen: fc.record({ kind: fc.constant("reopen" as const) }),
};

/** Steps that make records are more frequent than steps that delete them, so that there is something to lose. */
export const step = fc.oneof(
  { weight: 6, arbitrary: kinds.remember },
  { weight: 3, arbitrary: kinds.again },
  { weight: 4, arbitrary: kinds.evolve },
  { weight: 6, arbitrary: kinds.observe },
  { weight: 2, arbitrary: kinds.observeAgain },
  { weight: 3, arbitrary: kinds.lesson },
  { weight: 2, arbitrary: kinds.createSlot },
  { weight: 3, arbitrary: kinds.changeSlot },
  { weight: 3, arbitrary: kinds.wait },
  { weight: 3, arbitrary: kinds.forget },
  ...[
    kinds.deleteByIds,
    kinds.bulkDelete,
    kinds.relate,
    kinds.forgetSession,
    kinds.forgetObservation,
    kinds.end,
    kinds.strengthen,
    kinds.deleteLesson,
    kinds.deleteSlot,
    kinds.sweep,
    kinds.snapshot,
    kinds.restore,
    kinds.importSelf,
    kinds.carryOver,
    kinds.reopen,
  ].map((arbitrary) => ({ weight: 1, arbitrary: arbitrary as fc.Arbitrary<never> })),
);

export type Step = StepOf<typeof kinds>;

import fc from "fast-check";
import type { StepOf } from "../doing.ts";
import { pick } from "../given.ts";

/* Steps of agents on the work that they share. */

export const agents = ["ann", "bob"] as const;
export const projects = ["shop", "till"] as const;

const agent = fc.constantFrom(...agents);
const project = fc.constantFrom(undefined, ...projects);
const ttlMs = fc.constantFrom(60_000, 600_000, 3_600_000);

const kinds = {
  create: fc.record({
    kind: fc.constant("create" as const),
    priority: fc.constantFrom(1, 5, 5, 9),
    project,
    requires: fc.array(pick, { maxLength: 2 }),
  }),
  edge: fc.record({
    kind: fc.constant("edge" as const),
    type: fc.constantFrom(
      "requires" as const,
      "requires" as const,
      "unlocks" as const,
      "spawned_by" as const,
      "conflicts_with" as const,
      "gated_by" as const,
    ),
    from: pick,
    to: pick,
  }),
  update: fc.record({
    kind: fc.constant("update" as const),
    pick,
    status: fc.constantFrom(
      "pending" as const,
      "active" as const,
      "done" as const,
      "blocked" as const,
      "cancelled" as const,
    ),
  }),
  acquire: fc.record({ kind: fc.constant("acquire" as const), pick, agent, ttlMs }),
  race: fc.record({ kind: fc.constant("race" as const), pick, ttlMs }),
  release: fc.record({ kind: fc.constant("release" as const), pick, agent, isDone: fc.boolean() }),
  renew: fc.record({ kind: fc.constant("renew" as const), pick, agent, ttlMs }),
  checkpoint: fc.record({
    kind: fc.constant("checkpoint" as const),
    type: fc.constantFrom("external" as const, "timer" as const),
    links: fc.array(pick, { maxLength: 2 }),
    minutes: fc.constantFrom(5, 90),
    expires: fc.boolean(),
  }),
  resolve: fc.record({
    kind: fc.constant("resolve" as const),
    pick,
    status: fc.constantFrom("passed" as const, "failed" as const),
  }),
  send: fc.record({
    kind: fc.constant("send" as const),
    from: agent,
    to: fc.constantFrom(undefined, ...agents),
    replyTo: fc.option(pick, { nil: undefined }),
    expires: fc.boolean(),
  }),
  read: fc.record({
    kind: fc.constant("read" as const),
    agent,
    unreadOnly: fc.boolean(),
    limit: fc.constantFrom(1, 500),
  }),
  wait: fc.record({ kind: fc.constant("wait" as const), minutes: fc.constantFrom(1, 9, 61, 1_500) }),
  snapshot: fc.record({ kind: fc.constant("snapshot" as const) }),
  restore: fc.record({ kind: fc.constant("restore" as const), pick }),
  importSelf: fc.record({
    kind: fc.constant("import self" as const),
    strategy: fc.constantFrom("merge" as const, "replace" as const),
  }),
  reopen: fc.record({ kind: fc.constant("reopen" as const) }),
};

export type Step = StepOf<typeof kinds>;

export const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: kinds.create as fc.Arbitrary<Step> },
  { weight: 6, arbitrary: kinds.edge },
  { weight: 6, arbitrary: kinds.update },
  { weight: 6, arbitrary: kinds.acquire },
  { weight: 2, arbitrary: kinds.race },
  { weight: 4, arbitrary: kinds.release },
  { weight: 3, arbitrary: kinds.renew },
  { weight: 3, arbitrary: kinds.checkpoint },
  { weight: 3, arbitrary: kinds.resolve },
  { weight: 3, arbitrary: kinds.send },
  { weight: 2, arbitrary: kinds.read },
  { weight: 5, arbitrary: kinds.wait },
  kinds.snapshot,
  kinds.restore,
  kinds.importSelf,
  kinds.reopen,
);

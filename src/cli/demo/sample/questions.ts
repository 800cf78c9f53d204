import { toolUseId } from "./recording.ts";

/** The answer to a question: a tool call (any event of it), or a memory by its index. */
export type Expectation =
  | { readonly kind: "event"; readonly toolUseId: string }
  | { readonly kind: "memory"; readonly index: number };

export interface SampleQuestion {
  readonly question: string;
  readonly kind:
    | "identifier"
    | "paraphrase"
    | "error"
    | "file history"
    | "decision"
    | "preference"
    | "temporal";
  readonly expects: Expectation;
  /** Why that is the answer. */
  readonly why: string;
}

const event = (mark: string): Expectation => ({ kind: "event", toolUseId: toolUseId(mark) });
const memory = (index: number): Expectation => ({ kind: "memory", index });

/** Questions a developer of the sample project would ask, with the record that answers each. */
export const sampleQuestions: readonly SampleQuestion[] = [
  {
    question: "MAX_ATTEMPTS: when does a job fail and run again",
    kind: "identifier",
    expects: event("attempts are limited"),
    why: "the edit of src/carriers/client.ts that brings the constant in, with its meaning; the edit before only uses it",
  },
  {
    question: "why were jobs of the same transaction handed out in the wrong order",
    kind: "paraphrase",
    expects: event("flaky order is committed"),
    why: "the commit message names both causes: equal run_at, and RETURNING without an order",
  },
  {
    question: "what made us send so many requests per second to swiftline",
    kind: "paraphrase",
    expects: memory(5),
    why: "the bug as remembered: a date in Retry-After became NaN and the wait was none",
  },
  {
    question: "CREATE INDEX CONCURRENTLY cannot run inside a transaction block",
    kind: "error",
    expects: event("index cannot be built in a transaction"),
    why: "the first failure of the migration, with Postgres' own words and code 25001",
  },
  {
    question: "TS2554 Expected 2-3 arguments but got 1",
    kind: "error",
    expects: event("zod 4 breaks the build"),
    why: "the build after the upgrade to zod 4 is the only place of this compiler error",
  },
  {
    question: "why does scripts/migrate.ts look for no-transaction",
    kind: "file history",
    expects: event("runner learns no-transaction"),
    why: "the edit that taught the migration runner to leave out BEGIN, with the reason as a comment",
  },
  {
    question: "did we choose redis or postgres for the queue, and why",
    kind: "decision",
    expects: memory(0),
    why: "the decision with its reasons; the sessions hold the discussion before it",
  },
  {
    question: "how should tests deal with the current time",
    kind: "preference",
    expects: memory(4),
    why: "said once in passing during the incident, remembered as a preference",
  },
  {
    question: "how do workers find new jobs since pgbouncer",
    kind: "temporal",
    expects: memory(6),
    why: "the later decision replaces the one for LISTEN/NOTIFY (memory 1), which must not win",
  },
  {
    question: "which duplicated key stopped the unique index on thursday",
    kind: "temporal",
    expects: event("duplicates stop the unique index"),
    why: "the last event before the session broke off, taken up the next morning",
  },
];

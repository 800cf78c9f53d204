import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { plainTerminal } from "../../../test/support/plain-terminal.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { type DemoOutcome, isSuccess } from "./outcome.ts";
import { renderDemo, verdictLine } from "./render.ts";
import { removeScratchFolder } from "./scratch-store.ts";
import { checkSecrets } from "./secret-check.ts";

const times = { p50: 1, p95: 2, max: 3 };
const answer = {
  question: "why",
  kind: "decision",
  why: "because",
  answered: true,
  rank: 1,
  hits: 4,
  searchMs: 1,
} as const;
const good: DemoOutcome = {
  project: "parcel-tracker",
  days: 12,
  captured: {
    sessions: 1,
    sessionsCompleted: 1,
    events: 2,
    observations: 1,
    duplicates: 1,
    memories: 2,
    latestMemories: 1,
    eventMs: times,
  },
  secrets: { sent: 1, redactedObservations: 1, stored: 0 },
  searchMs: times,
  questions: [answer],
  answered: 1,
  file: { path: "a.ts", changes: [] },
  context: { text: "", tokens: 0 },
  distilled: {
    provider: "extractive",
    facts: 1,
    procedures: 0,
    insights: 0,
    graph: { nodes: 1, edges: 0 },
    examples: {},
  },
  removed: true,
};
const plain = { ...plainTerminal, columns: 80 };

describe("the demo", () => {
  test("succeeds if all is answered, no secret is stored and no store is left by mistake", () => {
    expect(isSuccess(good)).toBe(true);
    expect(isSuccess({ ...good, removed: false, home: "/tmp/kept" })).toBe(true);
    expect(renderDemo({ ...good, home: "/tmp/a b" }, plain)).toContain('session list --home "/tmp/a b"\n');
    expect(verdictLine(good, plain)).toBe("✓ 1 of 1 answered, 0 secrets stored, scratch store removed");
  });

  test.each<[string, DemoOutcome, string]>([
    ["a question is not answered", { ...good, answered: 0 }, "✗ 0 of 1 answered, "],
    [
      "a secret is stored",
      { ...good, secrets: { ...good.secrets, stored: 1 } },
      "✗ 1 of 1 answered, 1 secrets stored, ",
    ],
    [
      "the store is left",
      { ...good, removed: false },
      "✗ 1 of 1 answered, 0 secrets stored, scratch store NOT removed",
    ],
  ])("fails when %s", (_name, outcome, verdict) => {
    expect(isSuccess(outcome)).toBe(false);
    expect(verdictLine(outcome, plain)).toContain(verdict);
  });
});

describe("the search for secrets", () => {
  const secret = "sk-not-a-real-one-1234567890";
  let home: string;

  beforeEach(() => {
    home = temporaryFolder();
  });

  test("finds a secret in a record and in the bytes of a file below the home", () => {
    expect(checkSecrets([secret], [], [{ text: `key ${secret}` }], home).stored).toBe(1);
    mkdirSync(join(home, "deep"));
    writeFileSync(join(home, "deep", "log"), Buffer.concat([Buffer.from([0, 255]), Buffer.from(secret)]));
    expect(checkSecrets([secret], [], [], home).stored).toBe(1);
  });

  test("finds none where only marks are, and counts the records with marks", () => {
    writeFileSync(join(home, "memsvc.db"), "[REDACTED_SECRET]");
    const records = [{ text: "key [REDACTED_SECRET], again [REDACTED_SECRET]" }, { text: "nothing" }];
    expect(checkSecrets([secret], [], records, home)).toEqual({
      sent: 0,
      redactedObservations: 1,
      stored: 0,
    });
  });
});

test("a scratch folder is removed with its contents", () => {
  const home = temporaryFolder();
  writeFileSync(join(home, "memsvc.db"), "x");
  expect(removeScratchFolder(home)).toBeUndefined();
});

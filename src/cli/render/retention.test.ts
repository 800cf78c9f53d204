import { expect, test } from "vitest";
import { renderAutoForget, renderEvict } from "./retention.ts";

test.each([
  [true, "would forget", "would let"],
  [false, "forgot", "let"],
])(
  "automatic forgetting is reported as done or, in a dry run (%s), as planned",
  (dryRun, forgotten, superseded) => {
    const contradictions = [{ memoryA: "mem_a", memoryB: "mem_b", similarity: 0.95 }];
    expect(renderAutoForget({ dryRun, ttlExpired: ["mem_c"], contradictions, lowValueObs: [] })).toBe(
      `${forgotten} 1 expired memory and 0 observations of no value\n${superseded} mem_a supersede mem_b, which is 95 % the same`,
    );
  },
);

test("an eviction counts each kind of record in the number that it has", () => {
  const [none, evicted] = [{ decayedMemories: [], nonLatestMemories: [], observationIds: [] }, 3];
  const [lowImportanceObservations, lowImportanceObs] = [2, 2];
  const fixed = { staleSessions: 0, capEvictions: 0, threshold: 0.1, dryRun: false };
  const counted = { expiredMemories: ["mem_a"], lowImportanceObservations, lowImportanceObs, evicted };
  expect(renderEvict({ ...none, ...fixed, ...counted })).toBe(
    "evicted 3 records\n  1 expired memory\n  2 old unimportant observations",
  );
});

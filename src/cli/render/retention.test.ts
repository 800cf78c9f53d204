import { expect, test } from "vitest";
import { renderAutoForget } from "./retention.ts";

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

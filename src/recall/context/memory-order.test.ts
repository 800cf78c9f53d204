import { describe, expect, test } from "vitest";
import type { RecallCandidate } from "../../knowledge/memories/recall-candidates.ts";
import { dayMs } from "../../time/durations.ts";
import { orderMemories, type Viewpoint } from "./memory-order.ts";

const now = Date.parse("2026-03-01T12:00:00Z");

function memory(id: string, fields: Partial<RecallCandidate> = {}): RecallCandidate {
  return {
    id,
    files: [],
    hasProject: true,
    isFinding: false,
    createdAt: now,
    lastRecalledAt: null,
    strengthAnchor: 1,
    strengthAnchorAt: now,
    stabilityDays: 180,
    ...fields,
  };
}

const here: Viewpoint = {
  now,
  cwd: "/p/shop/src",
  root: "/p/shop",
  touched: new Set(["/p/shop/docs/plan.md"]),
};
const order = (memories: RecallCandidate[], viewpoint = here) =>
  orderMemories(memories, viewpoint).map(({ id }) => id);

describe("orderMemories", () => {
  test("puts memories about files near the working folder first", () => {
    expect(
      order([
        memory("far", { files: ["tools/ci/run.sh"] }),
        memory("above", { files: ["package.json"] }),
        memory("here", { files: ["src/cart.ts"] }),
      ]),
    ).toEqual(["here", "above", "far"]);
  });

  test("uses the nearest of several files", () => {
    expect(
      order([memory("none"), memory("mixed", { files: ["/elsewhere/x.ts", "/p/shop/src/cart.ts"] })]),
    ).toEqual(["mixed", "none"]);
  });

  test("puts a memory about a file that the session touched before one that is a step away", () => {
    expect(
      order([memory("step", { files: ["package.json"] }), memory("touched", { files: ["docs/plan.md"] })]),
    ).toEqual(["touched", "step"]);
  });

  test("puts memories without a project after equal ones of the project", () => {
    expect(order([memory("general", { hasProject: false }), memory("own")])).toEqual(["own", "general"]);
  });

  test("weighs the current strength, not the stored one", () => {
    const faded = memory("faded", { strengthAnchorAt: now - 200 * dayMs });
    expect(order([faded, memory("weak", { strengthAnchor: 0.5 })])).toEqual(["weak", "faded"]);
  });

  test("measures age from the last recall, and halves its weight every 90 days", () => {
    const old = memory("old", { createdAt: now - 300 * dayMs });
    const recalled = memory("recalled", { createdAt: now - 300 * dayMs, lastRecalledAt: now - dayMs });
    const month = memory("month", { createdAt: now - 30 * dayMs });
    expect(order([old, month, recalled])).toEqual(["recalled", "month", "old"]);
  });

  test("orders equal memories by age, newest first, then by id", () => {
    const same = { strengthAnchor: 0 };
    expect(
      order([memory("b", same), memory("c", same), memory("a", { ...same, createdAt: now + 1 })]),
    ).toEqual(["a", "c", "b"]);
  });

  test("treats all memories as equally relevant without a known folder", () => {
    const nowhere = { ...here, cwd: undefined, root: undefined, touched: new Set<string>() };
    expect(order([memory("b", { files: ["/x/y.ts"] }), memory("a")], nowhere)).toEqual(["b", "a"]);
  });
});

import { expect, test } from "vitest";
import { exitCodeOf } from "./exit-code.ts";

const search = { id: "search.smart", hits: "results" };

test("a search without hits exits with 3, but with 1 if the words were left out", () => {
  const codeFor = (leftOut: readonly string[] | undefined, results: readonly object[] = []) =>
    exitCodeOf(search, { results, streams: ["keyword"], leftOut });
  expect([codeFor(undefined), codeFor(["graph"]), codeFor(["keyword", "graph"])]).toEqual([3, 3, 1]);
  expect(codeFor(["lessons"])).toBe(1);
  expect(codeFor(["keyword"], [{ obsId: "mem_1" }])).toBe(0);
});

test("a critical health exits with 1, a degraded one with 0", () => {
  const codes = ["healthy", "degraded", "critical"].map((status) =>
    exitCodeOf({ id: "health.show" }, { status }),
  );
  expect(codes).toEqual([0, 0, 1]);
});

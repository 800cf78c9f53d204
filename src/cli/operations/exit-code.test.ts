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

test("an exchange with peers and a vault exit with 1 if any of it failed, an import of transcripts if all did", () => {
  const fault = { path: "a", reason: "it cannot be read" };
  const exits = (id: string, answers: readonly object[]) =>
    answers.map((answer) => exitCodeOf({ id }, { ...answer }));
  const whole = { results: [{ errors: [] }, { errors: [] }] };
  expect(
    exits("mesh.sync", [{ results: [] }, whole, { results: [{ errors: [] }, { errors: [fault] }] }]),
  ).toEqual([0, 0, 1]);
  expect(exits("vault.export", [{ errors: [] }, { errors: [fault] }])).toEqual([0, 1]);
  const imports = [
    { imported: 0, errors: [] },
    { imported: 2, errors: [fault] },
    { imported: 0, errors: [fault] },
  ];
  expect(exits("replay.import", imports)).toEqual([0, 0, 1]);
});

import { expect, test } from "vitest";
import { structuralLayer } from "./extract.ts";

const names = (letter: string, count: number) => Array.from({ length: count }, (_, at) => `${letter}${at}`);
const full = {
  projectKey: "/w/shop",
  files: names("f", 20),
  concepts: names("c", 12),
  libraries: names("l", 9),
  facts: [
    ...names("error: boom ", 9).map((fact) =>
      fact.replace(/\d/u, (digit) => "abcdefghi"[Number(digit)] ?? ""),
    ),
    "exit code: 1",
  ],
};

test("a row gives at most the limit of nodes of each kind, and 40 edges", () => {
  const { nodes, edges } = structuralLayer(full);
  const count = (type: string) => nodes.filter((node) => node.type === type).length;
  expect(["file", "concept", "error", "library", "project"].map(count)).toEqual([8, 8, 3, 5, 1]);
  expect(edges).toHaveLength(40);
});

test("edges of errors come before imports, and both before all others", () => {
  const { nodes, edges } = structuralLayer(full);
  const kinds = edges.map(({ source, type }) => `${nodes[source]?.type} ${type}`);
  expect(kinds.slice(0, 24).every((kind) => kind === "error related_to")).toBe(true);
  expect(kinds.slice(24).every((kind) => kind === "file imports")).toBe(true);
});

test("only neighbouring concepts are connected, and a file with its first four concepts", () => {
  const { nodes, edges } = structuralLayer({ ...full, files: ["a.ts"], libraries: [], facts: [] });
  const shown = edges.map(({ source, target }) => `${nodes[source]?.name} ${nodes[target]?.name}`);
  expect(shown.slice(0, 5)).toEqual(["a.ts c0", "a.ts c1", "a.ts c2", "a.ts c3", "c0 c1"]);
  expect(shown.at(-1)).toBe("shop a.ts");
  expect(shown).toHaveLength(4 + 7 + 1);
});

test("counts of failures and calls that went wrong by themselves are no errors of the project", () => {
  const facts = [
    "error: Test Files 1 failed (3)",
    "error: ✖ 1 problem (1 error, 0 warnings)",
    "error: File does not exist.",
    "error: boom",
    "tests: 1 failed",
  ];
  const { nodes } = structuralLayer({ ...full, facts });
  expect(nodes.filter(({ type }) => type === "error")).toEqual([{ type: "error", name: "boom" }]);
});

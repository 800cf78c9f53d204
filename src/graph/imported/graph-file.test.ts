import { expect, test } from "vitest";
import { readGraphFile } from "./graph-file.ts";

test("reading a long file gives the event loop turns", async () => {
  const note = "what a tool found out about it ".repeat(30);
  const nodes = Array.from({ length: 2_000 }, (_, at) => ({ id: `n${at}`, note }));
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const file = await readGraphFile(JSON.stringify({ nodes }), "graph.json");
  isOver = true;
  expect(file.nodesRead).toBe(2_000);
  expect(turns).toBeGreaterThan(2);
});

test.each([
  { links: [{ source: "a", target: "b" }] },
  { edges: [{ source: "a", target: "b" }] },
  { links: [], edges: [{ source: "a", target: "b" }] },
  { links: null, edges: [{ source: "a", target: "b" }] },
])("edges are read from the list that has some: %j", async (lists) => {
  const nodes = [{ id: "a" }, { id: "b" }];
  const file = await readGraphFile(JSON.stringify({ nodes, ...lists }), "graph.json");
  expect([file.edgesRead, file.edges.length]).toEqual([1, 1]);
});

test("NUL and lone surrogates in a file are replaced", async () => {
  const text = String.raw`{"nodes":[{"id":"a\ud800","label":"A","note":"\udc00 and \u0000"}]}`;
  const { nodes } = await readGraphFile(text, "graph.json");
  expect(nodes).toMatchObject([
    { name: "A", aliases: ["a\uFFFD"], properties: { note: "\uFFFD and \uFFFD" } },
  ]);
});

test("of several nodes with an id or a name, edges lead to the first", async () => {
  const nodes = [
    { id: "a", label: "Cache" },
    { id: "a", label: "Queue" },
    { id: "c", label: "Cache" },
  ];
  const links = [
    { source: "a", target: "c" },
    { source: "Queue", target: "Cache" },
  ];
  const { edges } = await readGraphFile(JSON.stringify({ nodes, links }), "graph.json");
  expect(edges.map(({ source, target }) => [source, target])).toEqual([
    [0, 2],
    [1, 0],
  ]);
});

test("numbers are ids and names too", async () => {
  const nodes = [{ id: 1, label: 2026 }, { id: 2 }];
  const file = await readGraphFile(
    JSON.stringify({ nodes, links: [{ source: 1, target: "2" }] }),
    "graph.json",
  );
  expect(file.nodes).toMatchObject([
    { name: "2026", aliases: ["1"] },
    { name: "2", aliases: [] },
  ]);
  expect(file.edges).toMatchObject([{ source: 0, target: 1 }]);
});

test.each([
  [{ weight: 0.4, confidence: "EXTRACTED" }, 0.4],
  [{ weight: 1 }, 1],
  [{ weight: 1.1, confidence: "EXTRACTED" }, 0.9],
  [{ weight: 0, confidence: "inferred" }, 0.6],
  [{ weight: "0.4", confidence: "AMBIGUOUS" }, 0.3],
  [{ confidence: "sure" }, 0.5],
  [{}, 0.5],
])("an edge with %j weighs %d", async (said, weight) => {
  const nodes = [{ id: "a" }, { id: "b" }];
  const links = [{ source: "a", target: "b", ...said }];
  const { edges } = await readGraphFile(JSON.stringify({ nodes, links }), "graph.json");
  expect(edges).toMatchObject([{ weight }]);
});

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

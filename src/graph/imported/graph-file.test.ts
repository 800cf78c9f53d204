import { expect, test } from "vitest";
import { readGraphFile } from "./graph-file.ts";

test("a long file is read with turns for the event loop", async () => {
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

import { readFileSync } from "node:fs";
import { z } from "zod";
import type { AgentResult } from "./run-agent-set.ts";
import type { SetResult } from "./run-set.ts";

/** By set, then by figure: the least that a run must reach, over all queries of the set. */
const Floors = z.record(z.string(), z.record(z.string(), z.number()));
export type Floors = z.infer<typeof Floors>;

export function readFloors(): Floors {
  return Floors.parse(JSON.parse(readFileSync(new URL("floors.json", import.meta.url), "utf8")));
}

/** The figures of a set that have floors: means over the tuning and the held-out half. */
export function figuresOf({ memsvc: { tuning, heldOut } }: SetResult): Record<string, number> {
  return {
    hit1: (tuning.hit1 + heldOut.hit1) / 2,
    recall10: (tuning.recall10 + heldOut.recall10) / 2,
    ndcg10: (tuning.ndcg10 + heldOut.ndcg10) / 2,
  };
}

export function agentFigures({ all, byKind, honest, doubted }: AgentResult): Record<string, number> {
  return {
    hit1: all.hit1,
    recall10: all.recall10,
    ndcg10: all.ndcg10,
    ...Object.fromEntries(
      Object.entries(byKind).map(([kind, { recall10 }]) => [`${kind} recall10`, recall10]),
    ),
    honest,
    undoubted: 1 - doubted,
  };
}

/** One line for each figure that is below its floor. */
export function shortfalls(
  name: string,
  figures: Readonly<Record<string, number>>,
  floors: Floors,
): string[] {
  return Object.entries(floors[name] ?? {}).flatMap(([figure, floor]) => {
    const reached = figures[figure] ?? 0;
    return reached >= floor ? [] : [`${name}: ${figure} is ${reached.toFixed(3)}, below its floor ${floor}`];
  });
}

import { test } from "vitest";
import { liveThrough } from "./history.ts";

const { MEMSVC_MODEL_RUNS: runs, MEMSVC_MODEL_SEED: seed } = process.env;
const byHand = runs !== undefined;
/** The same ones each time: they tell whether a change broke something. Other histories are for runs by hand. */
const seeds = byHand ? [Number(seed ?? "1")] : [1, 2, 3];

test.each(seeds)(
  "a store holds what a model of it holds, whatever happens: seed %i",
  {
    timeout: byHand ? 86_400_000 : 120_000,
  },
  (seed) => liveThrough(seed, Number(runs ?? "4")),
);

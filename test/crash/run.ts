import { parseArgs } from "node:util";
import { buildOnce, openSandbox } from "../cli/program-process.ts";
import { emptyLedger } from "./ledger.ts";
import { runTrial } from "./trial.ts";

/*
 * Crashes by hand: `npm run test:crash -- --trials 1000 [--seed 1] [--per-home 20]`. A home lives through several
 * crashes and is then replaced, so that both young and grown stores are hit. Ends with code 1 when anything was
 * lost; the seed of each faulty trial is printed.
 */

const { values } = parseArgs({
  options: {
    trials: { type: "string", default: "30" },
    seed: { type: "string", default: "1" },
    "per-home": { type: "string", default: "20" },
  },
});
const trials = Number(values.trials);
const firstSeed = Number(values.seed);
const perHome = Number(values["per-home"]);

buildOnce();
let sandbox = openSandbox();
let ledger = emptyLedger();
let acknowledged = 0;
let faulty = 0;
for (let at = 0; at < trials; at += 1) {
  if (at > 0 && at % perHome === 0) {
    sandbox.remove();
    sandbox = openSandbox();
    ledger = emptyLedger();
  }
  const trial = await runTrial(sandbox, ledger, firstSeed + at);
  acknowledged += trial.acknowledged;
  if (trial.faults.length > 0) {
    faulty += 1;
    console.log(`trial with seed ${firstSeed + at}, killed after ${trial.lifeMs} ms:`);
    for (const fault of trial.faults.slice(0, 20)) console.log(`  ${fault}`);
  }
  if ((at + 1) % 25 === 0)
    console.log(`${at + 1} trials, ${acknowledged} acknowledged writes, ${faulty} faulty`);
}
sandbox.remove();
console.log(`${trials} trials, ${acknowledged} acknowledged writes, ${faulty} faulty trials`);
process.exitCode = faulty === 0 ? 0 : 1;

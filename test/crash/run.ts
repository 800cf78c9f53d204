import { parseArgs } from "node:util";
import { buildOnce, openSandbox } from "../cli/program-process.ts";
import { writeTogether } from "./concurrency.ts";
import { CrashHome } from "./crash-home.ts";
import { acknowledgedWrites, emptyLedger } from "./ledger.ts";

/*
 * Crash tests by hand: `npm run test:crash -- --trials 1000 [--seed 1] [--per-home 20]`. A home goes through several
 * crashes and is then replaced, so that both new and grown stores are tested. Exits with 1 when anything was lost; the
 * seed of each faulty trial is printed. With `--seconds 30` and no `--trials`, four processes write to one home for
 * this time, and nothing is killed.
 */

const { values } = parseArgs({
  options: {
    trials: { type: "string" },
    seconds: { type: "string" },
    seed: { type: "string", default: "1" },
    "per-home": { type: "string", default: "20" },
  },
});
buildOnce();
const failed =
  values.seconds === undefined || values.trials !== undefined
    ? await crash()
    : await write(Number(values.seconds));
process.exitCode = failed ? 1 : 0;

async function crash(): Promise<boolean> {
  const trials = Number(values.trials ?? "30");
  const firstSeed = Number(values.seed);
  const perHome = Number(values["per-home"]);
  let acknowledged = 0;
  let faulty = 0;
  for (let done = 0; done < trials; done += perHome) {
    const home = new CrashHome();
    for (let at = done; at < Math.min(done + perHome, trials); at += 1) {
      const trial = await home.trial(firstSeed + at);
      acknowledged += trial.acknowledged;
      if (trial.faults.length === 0) continue;
      faulty += 1;
      console.log(`trial with seed ${firstSeed + at}, killed after ${trial.lifeMs} ms:`);
      tell(trial.faults);
    }
    const faults = await home.close();
    if (faults.length > 0) faulty += 1;
    tell(faults);
    console.log(
      `${Math.min(done + perHome, trials)} trials, ${acknowledged} acknowledged writes, ${faulty} faulty trials`,
    );
  }
  return faulty > 0;
}

async function write(seconds: number): Promise<boolean> {
  const sandbox = openSandbox();
  const ledger = emptyLedger();
  const faults = await writeTogether(sandbox, ledger, seconds);
  tell(faults);
  console.log(`${seconds} s, ${acknowledgedWrites(ledger)} acknowledged writes, ${faults.length} faults`);
  sandbox.remove();
  return faults.length > 0;
}

function tell(faults: readonly string[]): void {
  for (const fault of faults.slice(0, 20)) console.log(`  ${fault}`);
}

/*
 * Measures how well search finds, beside plain FTS5 in the same run. Reads the evaluation sets of the folder that
 * MEMSVC_EVAL_DIR names (their format is described in CONTRIBUTING.md) and the repository's own set of a coding
 * agent's sessions, which needs no data.
 *
 *   npx tsx bench/retrieval.ts [--only scifact,npl] [--check] [--write]
 *
 * Parameters are chosen on the queries of even place and reported on the others. `--check` runs the small sets and
 * exits with 1 below a floor of bench/retrieval/floors.json; `--write` keeps the figures in bench/results/.
 */
import { parseArgs } from "node:util";
import { readSets } from "./retrieval/pools.ts";
import { tableOf } from "./retrieval/report.ts";
import { runSet, type SetResult } from "./retrieval/run-set.ts";

const { values } = parseArgs({
  options: { only: { type: "string" }, check: { type: "boolean" }, write: { type: "boolean" } },
});
const evalDir = process.env.MEMSVC_EVAL_DIR;
const results: SetResult[] = [];
const only = values.only === undefined ? undefined : new Set(values.only.split(","));
for (const set of evalDir === undefined ? [] : readSets(evalDir, only)) {
  results.push(await runSet(set, {}));
  console.error(tableOf(results.slice(-1)).split("\n").slice(-2).join("\n"));
}
console.log(tableOf(results));

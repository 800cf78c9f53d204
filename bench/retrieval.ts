/*
 * Measures the quality of search, and of plain FTS5 for comparison. Reads the evaluation sets of the folder that
 * MEMSVC_EVAL_DIR names (their format is described in CONTRIBUTING.md), and runs the repository's own sets, which need
 * no data: two weeks of a coding agent, generated, and developers' notes with questions in other words.
 *
 * npx tsx bench/retrieval.ts [--only scifact,agent] [--check] [--missed] [--out retrieval.json]
 *
 * Parameters are tuned on the queries at even positions and reported on the others (held out). `--check` runs the small
 * sets and exits with 1 when a figure is below its floor in bench/retrieval/floors.json. `--missed` prints the agent's
 * questions whose first hit is no answer. Without either, the figures are written to the file of bench/results/ that
 * `--out` names. Settings that shape a search (MEMSVC_EMBEDDING_PROVIDER, MEMSVC_VECTOR_WEIGHT, …) are taken from the
 * environment.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { parseArgs } from "node:util";
import { agentFigures, figuresOf, readFloors, shortfalls } from "./retrieval/floors.ts";
import { readNotesSets } from "./retrieval/notes-sets.ts";
import { readSets } from "./retrieval/pools.ts";
import { agentTable, tableOf } from "./retrieval/report.ts";
import { type AgentResult, runAgentSet } from "./retrieval/run-agent-set.ts";
import { runSet, type SetResult } from "./retrieval/run-set.ts";

const agentSet = "agent";
const notesSets = readNotesSets();
const smallSets = [agentSet, "locomo-session-first5", ...notesSets.map(({ name }) => name)];
const shapingSettings = /^MEMSVC_(?:EMBEDDING|VECTOR|BM25|GRAPH)_/;

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    check: { type: "boolean" },
    missed: { type: "boolean" },
    out: { type: "string", default: "retrieval.json" },
  },
});
const isCheck = values.check === true;
const only = isCheck
  ? new Set(smallSets)
  : values.only === undefined
    ? undefined
    : new Set(values.only.split(","));
const env = Object.fromEntries(
  Object.entries(process.env).flatMap(([name, value]) =>
    shapingSettings.test(name) && value !== undefined ? [[name, value] as const] : [],
  ),
);

const folder = process.env.MEMSVC_EVAL_DIR;
if (folder === undefined) console.log("MEMSVC_EVAL_DIR is not set: left out are the public sets");
const results: SetResult[] = [];
for (const set of folder === undefined ? [] : readSets(folder, only)) results.push(await runSet(set, env));
for (const set of notesSets) if (only?.has(set.name) !== false) results.push(await runSet(set, env));
const agent = only?.has(agentSet) === false ? undefined : await runAgentSet(env);

if (results.length > 0) console.log(tableOf(results));
if (agent !== undefined) console.log(`\n${agentTable(agent)}`);
if (values.missed === true) console.log(agent?.missed.join("\n"));
const floors = readFloors();
const below = [
  ...results.flatMap((result) => shortfalls(result.name, figuresOf(result), floors)),
  ...(agent === undefined ? [] : shortfalls(agentSet, agentFigures(agent), floors)),
];
for (const line of below) console.error(line);
if (below.length > 0) process.exitCode = 1;
if (!isCheck && values.missed !== true) writeResults(results, agent);

function writeResults(sets: readonly SetResult[], agentResult: AgentResult | undefined): void {
  const target = new URL("results/", import.meta.url);
  mkdirSync(target, { recursive: true });
  const date = new Date().toISOString().slice(0, 10);
  const { missed: _told, ...agentShown } = agentResult ?? { missed: [] };
  // Only the last part of a path is written, because where a model's folder lies differs between machines.
  const settings = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, basename(value)]));
  const shown = JSON.stringify({ date, settings, sets, agent: agentShown }, rounded, 2);
  writeFileSync(new URL(values.out, target), `${shown}\n`);
}

function rounded(_name: string, value: unknown): unknown {
  return typeof value === "number" ? Math.round(value * 10_000) / 10_000 : value;
}

/*
 * Measures redaction: which share of secrets it removes, which share of clean documents it alters, and how
 * fast it is. Reads from the folder that MEMSVC_EVAL_DIR names:
 *
 * - `secret-samples.json.gz`: `[[ruleId, [[text, secret], …]], …]`
 * - clean corpora `*.json.gz`: `{pools: [{docs: [[id, title, body], …]}]}`
 * - clean transcripts `transcripts/*.jsonl.gz`: any JSON per line, of which every string value is a document
 *
 * Without it, the samples are the generated ones alone, and the clean corpus is the TypeScript below node_modules.
 * `--altered` prints the altered documents. Exits with 1 below a floor.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { z } from "zod";
import { redactText } from "../src/text/redaction/redact.ts";
import { generateSamples, type SecretSample } from "./redaction-samples.ts";

const leastRedacted = 0.98;
const mostAltered = 0.005;
const corpora = ["cosqa-test", "cranfield", "scifact"];
const mostSourceFiles = 4000;

const Samples = z.array(z.tuple([z.string(), z.array(z.tuple([z.string(), z.string()]))]));
const Corpus = z.object({
  pools: z.array(z.object({ docs: z.array(z.tuple([z.string(), z.string(), z.string()])) })),
});

const evalDir = process.env.MEMSVC_EVAL_DIR;
const showAltered = process.argv.includes("--altered");

if (evalDir === undefined) {
  console.log(
    "MEMSVC_EVAL_DIR is not set: left out are the published samples, the corpora and the transcripts",
  );
}
const redactedShares = [
  measureSamples("generated", generateSamples(50)),
  ...(evalDir === undefined ? [] : [measureSamples("published", readSamples(evalDir))]),
];
const alteredShare = measureCorpora([
  ...(evalDir === undefined ? [] : readCorpora(evalDir)),
  ["TypeScript sources", readSources("node_modules")],
]);
const passed = Math.min(...redactedShares) >= leastRedacted && alteredShare <= mostAltered;
console.log(passed ? "above the floors" : "BELOW A FLOOR");
process.exitCode = passed ? 0 : 1;

function measureSamples(kind: string, samplesByRule: readonly [string, readonly SecretSample[]][]): number {
  let total = 0;
  let missed = 0;
  for (const [rule, samples] of samplesByRule) {
    const misses = samples.filter(([text, secret]) => redactText(text).includes(secret));
    total += samples.length;
    missed += misses.length;
    if (misses.length > 0) console.log(`  missed ${misses.length} of ${samples.length}: ${rule}`);
  }
  const share = (total - missed) / total;
  console.log(`redacted: ${percent(share)} of ${total} ${kind} samples (floor ${percent(leastRedacted)})`);
  return share;
}

function measureCorpora(named: readonly (readonly [string, readonly string[]])[]): number {
  let documents = 0;
  let altered = 0;
  let characters = 0;
  let elapsedMs = 0;
  for (const [name, texts] of named) {
    const start = performance.now();
    const outputs = texts.map(redactText);
    const tookMs = performance.now() - start;
    const changed = texts.filter((text, position) => outputs[position] !== text);
    const size = texts.reduce((sum, text) => sum + text.length, 0);
    console.log(
      `  ${name}: ${changed.length} of ${texts.length} altered (${percent(changed.length / texts.length)}), ` +
        `${(size / 1000 / tookMs).toFixed(0)} MB/s`,
    );
    if (showAltered) for (const text of changed) printDifference(text, redactText(text));
    documents += texts.length;
    altered += changed.length;
    characters += size;
    elapsedMs += tookMs;
  }
  const share = altered / documents;
  console.log(`altered: ${percent(share)} of ${documents} clean documents (ceiling ${percent(mostAltered)})`);
  console.log(
    `speed: ${(characters / 1000 / elapsedMs).toFixed(1)} MB/s over ${(characters / 1e6).toFixed(1)} MB`,
  );
  return share;
}

function printDifference(before: string, after: string): void {
  let same = 0;
  while (before[same] === after[same]) same++;
  console.log(`    ${JSON.stringify(before.slice(Math.max(0, same - 60), same + 80))}`);
}

function readSamples(directory: string): [string, SecretSample[]][] {
  return Samples.parse(readGzippedJson(join(directory, "secret-samples.json.gz")));
}

function readCorpora(directory: string): [string, string[]][] {
  const pools = corpora.map((name): [string, string[]] => {
    const corpus = Corpus.parse(readGzippedJson(join(directory, `${name}.json.gz`)));
    return [name, corpus.pools.flatMap((pool) => pool.docs.map(([, title, body]) => `${title}\n${body}`))];
  });
  const transcripts = join(directory, "transcripts");
  if (!existsSync(transcripts)) return pools;
  const texts = readdirSync(transcripts).flatMap((file) =>
    gunzipSync(readFileSync(join(transcripts, file)))
      .toString()
      .split("\n")
      .filter((line) => line !== "")
      .flatMap((line) => stringsOf(JSON.parse(line))),
  );
  return [...pools, ["transcripts", texts]];
}

function stringsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(stringsOf) : [];
}

function readSources(directory: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.[cm]?ts$/.test(file))
    .slice(0, mostSourceFiles)
    .map((file) => readFileSync(join(directory, file), "utf8"));
}

function readGzippedJson(file: string): unknown {
  return JSON.parse(gunzipSync(readFileSync(file)).toString());
}

function percent(share: number): string {
  return `${(share * 100).toFixed(2)} %`;
}

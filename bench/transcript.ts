import { existsSync } from "node:fs";
import { join } from "node:path";
import { buildOnce, openSandbox } from "../test/cli/program-process.ts";
import { storedObservations } from "../test/cli/stored-observations.ts";
import { readTranscript } from "./transcript-events.ts";
import { transcriptName, transcriptQuestions } from "./transcript-questions.ts";
import { askQuestions, sendEvents } from "./transcript-run.ts";

/*
 * Sends a real agent's events through the built program and asks questions about them. The transcript is in the folder
 * that MEMSVC_EVAL_DIR names, as transcripts/<session>.jsonl.gz.
 */

const singlesEachSide = 60;
const hitsAsked = 5;

const evalFolder = process.env.MEMSVC_EVAL_DIR;
const path = evalFolder === undefined ? undefined : join(evalFolder, "transcripts", transcriptName);
if (path === undefined || !existsSync(path)) {
  process.stdout.write(`left out: MEMSVC_EVAL_DIR names no folder with transcripts/${transcriptName}\n`);
} else {
  await measure(path);
}

async function measure(transcript: string): Promise<void> {
  buildOnce();
  const sandbox = openSandbox();
  try {
    const events = readTranscript(transcript);
    const floorMs = await nodeStartMs(sandbox);
    const { daemonUpMs, daemonDownMs } = await sendEvents(sandbox, events, singlesEachSide);
    const observations = await storedObservations(sandbox, events[0]?.session_id ?? "");
    print(`events ${events.length}, observations ${observations.length}`);
    print(`memsvc --version            ${percentiles(floorMs)}`);
    print(`observe, daemon up          ${percentiles(daemonUpMs)}`);
    print(`observe, daemon down        ${percentiles(daemonDownMs)}`);
    for (const { question, rank, hits } of await askQuestions(
      sandbox,
      transcriptQuestions,
      observations,
      hitsAsked,
    )) {
      print(`${rank === undefined ? " -" : String(rank).padStart(2)}  ${question.question}`);
      if (rank === undefined) for (const title of hits) print(`      ${title}`);
    }
  } finally {
    sandbox.remove();
  }
}

/** Durations of `memsvc --version`, a process that does no work, to compare the other times with. */
async function nodeStartMs(sandbox: ReturnType<typeof openSandbox>): Promise<number[]> {
  const durations: number[] = [];
  for (let run = 0; run < 20; run += 1) durations.push((await sandbox.run(["--version"])).tookMs);
  return durations;
}

function percentiles(durations: readonly number[]): string {
  const sorted = durations.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
  return `p50 ${at(0.5).toFixed(0)} ms, p95 ${at(0.95).toFixed(0)} ms, of ${sorted.length} processes`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

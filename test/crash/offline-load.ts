import type { ChildProcess } from "node:child_process";
import type { Sandbox } from "../cli/program-process.ts";
import { eventWith, memoryWith } from "./http-load.ts";
import type { Ledger } from "./ledger.ts";

/*
 * Processes that write to the store beside the daemon, one after another: batches of events, and memories. What a
 * process prints counts as acknowledged, except an incomplete last line of a killed one.
 */

/** A process that takes longer counts as hanging: it is killed and recorded as a refusal. */
const processTimeoutMs = 60_000;

export interface OfflineOptions {
  readonly sandbox: Sandbox;
  readonly sessionId: string;
  readonly eventsPerBatch: number;
  readonly random: () => number;
  readonly nextWord: () => string;
  readonly isOver: () => boolean;
}

export interface OfflineWriter {
  /** Kills the process that writes at this moment, if there is one. */
  kill(): void;
  readonly done: Promise<void>;
}

export function writeOffline(options: OfflineOptions, ledger: Ledger): OfflineWriter {
  let current: ChildProcess | undefined;
  let isKilled = false;
  const start = (args: readonly string[], stdin: string) => {
    current = options.sandbox.start(args, { stdin });
    return output(current);
  };
  const work = async () => {
    while (!options.isOver() && !isKilled) {
      const problem =
        options.random() < 0.75
          ? await writeBatch(options, start, ledger)
          : await writeMemory(options, start, ledger);
      if (problem !== undefined && !isKilled) ledger.refusals.push(problem);
    }
  };
  return {
    kill: () => {
      isKilled = true;
      current?.kill("SIGKILL");
    },
    done: work(),
  };
}

type Start = (args: readonly string[], stdin: string) => Promise<Output>;

async function writeBatch(
  { sessionId, eventsPerBatch, nextWord }: OfflineOptions,
  start: Start,
  ledger: Ledger,
): Promise<string | undefined> {
  const words = Array.from({ length: eventsPerBatch }, nextWord);
  const lines = words.map((word) => JSON.stringify(eventWith(word, sessionId)));
  const { exit, stdout, stderr } = await start(
    ["observe", "--batch", "--offline", "--json", "--strict"],
    lines.join("\n"),
  );
  completeLines(stdout).forEach((answer, at) => {
    const word = words[at];
    if (typeof answer.observationId === "string" && word !== undefined) {
      ledger.observations.push({ id: answer.observationId, sessionId, word });
    }
  });
  return exit === 0 ? undefined : `observe --batch --offline ended with ${exit}: ${stderr}`;
}

async function writeMemory(
  { nextWord }: OfflineOptions,
  start: Start,
  ledger: Ledger,
): Promise<string | undefined> {
  const word = nextWord();
  const { exit, stdout, stderr } = await start(
    ["remember", memoryWith(word), "--project", "crash", "--offline", "--json"],
    "",
  );
  for (const answer of completeLines(stdout)) {
    if (typeof answer.memoryId === "string") ledger.memories.push({ id: answer.memoryId, word });
  }
  return exit === 0 ? undefined : `remember --offline ended with ${exit}: ${stderr}`;
}

function completeLines(stdout: string): Record<string, unknown>[] {
  return stdout
    .slice(0, stdout.lastIndexOf("\n") + 1)
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

interface Output {
  readonly exit: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function output(child: ChildProcess): Promise<Output> {
  const tooLong = setTimeout(() => child.kill("SIGKILL"), processTimeoutMs);
  const written = { stdout: "", stderr: "" };
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    written.stdout += text;
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    written.stderr += text;
  });
  return new Promise((resolve) => {
    child.on("close", (exit) => {
      clearTimeout(tooLong);
      resolve({ exit, ...written });
    });
  });
}

import { setImmediate as nextTurn } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { parentPort, workerData } from "node:worker_threads";
import type { FeatureExtractor, Run } from "./feature-extraction.ts";
import type { FailureCause, ThreadReply, ThreadSetup, ThreadTask } from "./thread-protocol.ts";

/*
 * The other end of thread-host.ts. In this runtime a model blocks the thread that runs it, and here it blocks
 * nobody. Documents are worked through in runs of bounded size; between two runs the thread looks whether a
 * question has come in, which goes first, or whether nobody waits for the documents any more.
 */

type EmbedTask = Extract<ThreadTask, { kind: "embed" }>;

interface Work {
  readonly task: EmbedTask;
  runs: Run[] | undefined;
  readonly chunks: Float32Array[][];
}

const port = parentPort;
if (port === null) throw new Error("the embedding thread must be started as a worker");
const { processors } = workerData as ThreadSetup;

const extractors = new Map<string, Promise<FeatureExtractor>>();
const waiting: Work[] = [];
let isWorking = false;

port.on("message", (task: ThreadTask) => {
  switch (task.kind) {
    case "embed":
      waiting.push({ task, runs: undefined, chunks: task.texts.map(() => []) });
      if (!isWorking) void workThrough();
      return;
    case "cancel":
      drop(task.id);
      return;
    case "unload":
      void unload(task.folder).then(() => reply({ id: task.id, chunks: [] }));
      return;
  }
});

async function workThrough(): Promise<void> {
  isWorking = true;
  while (waiting.length > 0) {
    const work = waiting.find(({ task }) => task.isQuery) ?? waiting[0];
    if (work !== undefined) await step(work);
    // Lets the messages in that came meanwhile.
    await nextTurn();
  }
  isWorking = false;
}

/** One run of a piece of work; the answer with the last. */
async function step(work: Work): Promise<void> {
  const { id, folder, texts, isQuery } = work.task;
  let cause: FailureCause = "runtime";
  try {
    // The runtime is loaded here, not at the head: where it is missing, the thread must live to say so.
    const library = await import("./model-library.ts");
    library.limitProcessors(processors);
    cause = "model";
    const extractor = await loaded(folder, library.FeatureExtractor.load);
    cause = "texts";
    work.runs ??= extractor.plan(texts, isQuery ? 1 : Number.POSITIVE_INFINITY);
    const run = work.runs.shift();
    if (run !== undefined) {
      const vectors = await extractor.vectors(run);
      for (const [index, { text, chunk }] of run.entries()) {
        const vector = vectors[index];
        const chunks = work.chunks[text];
        if (vector !== undefined && chunks !== undefined) chunks[chunk] = vector;
      }
    }
    if (work.runs.length > 0) return;
    reply({ id, chunks: work.chunks });
  } catch (error) {
    reply({ id, error: error instanceof Error ? error.message : String(error), cause });
  }
  drop(id);
}

function loaded(
  folder: string,
  load: (folder: string) => Promise<FeatureExtractor>,
): Promise<FeatureExtractor> {
  const known = extractors.get(folder);
  if (known !== undefined) return known;
  const loading = load(folder).catch((error: unknown) => {
    extractors.delete(folder);
    throw error;
  });
  extractors.set(folder, loading);
  return loading;
}

/** The runtime frees a model's memory when its object is collected, and in no other way. */
async function unload(folder: string): Promise<void> {
  const known = extractors.get(folder);
  extractors.delete(folder);
  // What is being loaded would be collected only after the next unloading.
  await known?.catch(() => undefined);
  await nextTurn();
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  if (typeof collect === "function") collect();
  await nextTurn();
}

function reply(message: ThreadReply): void {
  port?.postMessage(message);
}

function drop(id: number): void {
  const index = waiting.findIndex(({ task }) => task.id === id);
  if (index >= 0) waiting.splice(index, 1);
}

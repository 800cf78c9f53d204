import { setImmediate as nextTurn } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { parentPort, workerData } from "node:worker_threads";
import { messageOf } from "../../operation/errors.ts";
import type { FeatureExtractor, Run } from "./feature-extraction.ts";
import type { ImageTower } from "./image-tower.ts";
import type { TextTower } from "./text-tower.ts";
import type { FailureCause, ThreadReply, ThreadSetup, ThreadTask } from "./thread-protocol.ts";

/*
 * The other end of thread-host.ts. The ONNX runtime blocks the thread that runs a model, so models have this thread of
 * their own. Documents are embedded in runs of bounded size. Between two runs the thread looks for new messages: a
 * question goes first, and work that was cancelled is dropped.
 */

type Library = typeof import("./model-library.ts");
type EmbedTask = Extract<ThreadTask, { kind: "embed" }>;
type LookTask = Extract<ThreadTask, { kind: "look" }>;

interface Work {
  readonly task: EmbedTask | LookTask;
  runs: Run[] | undefined;
  readonly chunks: Float32Array[][];
  /** The cause to report if something fails now. */
  stage: FailureCause;
}

const port = parentPort;
if (port === null) throw new Error("the embedding thread must be started as a worker");
const { processors } = workerData as ThreadSetup;

const extractors = new Map<string, Promise<FeatureExtractor>>();
const textTowers = new Map<string, Promise<TextTower>>();
const imageTowers = new Map<string, Promise<ImageTower>>();
const waiting: Work[] = [];
let isWorking = false;

port.on("message", (task: ThreadTask) => {
  switch (task.kind) {
    case "embed":
    case "look":
      waiting.push({ task, runs: undefined, chunks: chunksOf(task), stage: "runtime" });
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
    // Lets messages be received that came meanwhile.
    await nextTurn();
  }
  isWorking = false;
}

function chunksOf(task: EmbedTask | LookTask): Float32Array[][] {
  return task.kind === "embed" ? task.texts.map(() => []) : [[]];
}

/** Does one run of a piece of work, and sends the answer after the last one. */
async function step(work: Work): Promise<void> {
  const { task } = work;
  work.stage = "runtime";
  try {
    // Imported here and not statically: if the runtime is missing, the thread must survive to report that.
    const library = await import("./model-library.ts");
    library.limitProcessors(processors);
    work.stage = "model";
    const isDone = task.kind === "embed" ? await embed(work, task, library) : await look(work, task, library);
    if (!isDone) return;
    reply({ id: task.id, chunks: work.chunks });
  } catch (error) {
    const isUnreadable = error instanceof Error && error.name === "UnreadableImage";
    const cause = isUnreadable ? "image" : work.stage;
    reply({ id: task.id, error: messageOf(error), cause });
  }
  drop(task.id);
}

/** Does one run of texts; returns whether it was the last. */
async function embed(work: Work, { folder, texts, isQuery }: EmbedTask, library: Library): Promise<boolean> {
  const extractor = await loaded(extractors, folder, library.FeatureExtractor.load);
  work.stage = "texts";
  work.runs ??= extractor.plan(texts, isQuery ? 1 : Number.POSITIVE_INFINITY);
  const run = work.runs.shift();
  if (run === undefined) return true;
  const vectors = await extractor.vectors(run);
  for (const [index, { text, chunk }] of run.entries()) {
    const vector = vectors[index];
    const chunks = work.chunks[text];
    if (vector !== undefined && chunks !== undefined) chunks[chunk] = vector;
  }
  return work.runs.length === 0;
}

async function look(work: Work, { folder, subject }: LookTask, library: Library): Promise<true> {
  if (subject.kind === "text") {
    const tower = await loaded(textTowers, folder, library.TextTower.load);
    work.stage = "texts";
    work.chunks[0]?.push(await tower.vector(subject.text));
    return true;
  }
  const tower = await loaded(imageTowers, folder, library.ImageTower.load);
  work.stage = "texts";
  work.chunks[0]?.push(await tower.vector(subject.content, subject.mime));
  return true;
}

function loaded<Model>(
  models: Map<string, Promise<Model>>,
  folder: string,
  load: (folder: string) => Promise<Model>,
): Promise<Model> {
  const known = models.get(folder);
  if (known !== undefined) return known;
  const loading = load(folder).catch((error: unknown) => {
    models.delete(folder);
    throw error;
  });
  models.set(folder, loading);
  return loading;
}

/** Unloads a model. The runtime only frees its memory when its object is garbage-collected, so that is forced. */
async function unload(folder: string): Promise<void> {
  for (const models of [extractors, textTowers, imageTowers]) {
    const known: Promise<unknown> | undefined = models.get(folder);
    models.delete(folder);
    // A model that is still loading could not be collected yet, so its loading is awaited.
    await known?.catch(() => undefined);
  }
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

/*
 * Measures what an embedding model costs on this machine: loading it, a question, documents of three lengths, the
 * memory of the process, and that memory after the model was unloaded. Only measures models that are installed:
 *
 *   tsx bench/embedding.ts [<folder of a model> …]
 *
 * Without folders: the local model of the home in use, and the table in `../models/` beside the folder that
 * MEMSVC_EVAL_DIR names. Run `npm run build` first, because a local model runs in the built worker thread.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { readConfiguration } from "../src/config/configuration.ts";
import { loadSettings } from "../src/config/load.ts";
import { chooseEmbedding } from "../src/embedding/choice.ts";
import { readFiles } from "../src/embedding/models/folder.ts";
import { openProvider } from "../src/embedding/open-provider.ts";

const rounds = 5;
/** Lengths in words: of a question, of a memory, and of a chunk that fills the model's window. */
const lengths = [12, 45, 190];
const words =
  "the queue retries a failed deployment with backoff and jitter after the database migration".split(" ");

const folders = process.argv.slice(2);
for (const folder of folders.length > 0 ? folders : knownFolders()) await measure(folder);

async function measure(folder: string): Promise<void> {
  const runtime = readFiles(folder)?.runtime;
  if (runtime === undefined) {
    console.log(`${folder}: no embedding model`);
    return;
  }
  const env = { MEMSVC_EMBEDDING_PROVIDER: runtime, MEMSVC_EMBEDDING_MODEL: folder };
  const choice = chooseEmbedding(folder, loadSettings({ home: folder, env, fileText: undefined }).settings);
  if (choice.kind === "none") throw new Error(choice.reason);
  const before = rssMib();
  const loadedAt = performance.now();
  const provider = await openProvider(choice);
  await provider.embedQuery("the first question");
  console.log(`${folder} (${runtime}, ${provider.model.dimensions} dimensions)`);
  console.log(`  first question ${ms(performance.now() - loadedAt)}, loading included`);
  for (const count of lengths) {
    const query = await bestOf(() => provider.embedQuery(textOf(count)), 1);
    const documents = Array.from({ length: 32 }, (_, index) => textOf(count, index));
    const batch = await bestOf(() => provider.embedDocuments(documents), documents.length);
    console.log(`  ${count} words: alone ${ms(query)}, in a batch of 32 ${ms(batch)} a text`);
  }
  console.log(`  memory: ${before} MiB before, ${rssMib()} MiB now`);
  await provider.close();
  console.log(`  unloaded: ${rssMib()} MiB`);
}

async function bestOf(work: () => Promise<unknown>, texts: number): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round += 1) {
    const startedAt = performance.now();
    await work();
    best = Math.min(best, (performance.now() - startedAt) / texts);
  }
  return best;
}

function textOf(count: number, seed = 0): string {
  return Array.from({ length: count }, (_, index) => words[(index * 7 + seed) % words.length]).join(" ");
}

function knownFolders(): string[] {
  const { home, settings } = readConfiguration();
  const choice = chooseEmbedding(home, settings);
  const evalDir = process.env.MEMSVC_EVAL_DIR;
  if (evalDir === undefined) console.log("MEMSVC_EVAL_DIR is not set: the table beside it is left out");
  return [
    ...(choice.kind === "local" || choice.kind === "static" ? [choice.files.folder] : []),
    ...(evalDir === undefined ? [] : [join(evalDir, "..", "models", "potion-base-2M-int8")]),
  ].filter((folder) => existsSync(folder));
}

function rssMib(): number {
  return Math.round(process.memoryUsage().rss / 1_048_576);
}

function ms(value: number): string {
  return `${value < 1 ? value.toFixed(3) : value.toFixed(1)} ms`;
}

import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { observe } from "../../src/capture/observations/operations.ts";
import { databaseFile } from "../../src/config/home.ts";
import type { Core } from "../../src/core.ts";
import { countPending } from "../../src/graph/storage/pending-rows.ts";
import { graphSettled } from "../../src/graph/structural/settled.ts";
import { remember } from "../../src/knowledge/memories/operations.ts";
import { openCore } from "../../src/open-core.ts";
import { readMigrations } from "../../src/store/migrations.ts";
import { makeEvents, makeMemories } from "./events.ts";
import { addDocuments, addVectors, inBatches } from "./large-stores.ts";
import { writeWordModel } from "./word-model.ts";

/** Half an hour for a million is too long. */
const mostWritten = 100_000;
const memoryShare = 0.02;
/** As many as the write queue joins into one commit. */
const together = 64;

/** Seeded stores, made once and copied for each use, because what is measured changes them. */
export interface StoreShelf {
  /** A fresh home with so many documents in it. */
  home(documents: number): Promise<string>;
  /** The same with a vector for each, and of more documents than operations are patient enough to write. */
  homeWithVectors(documents: number): Promise<string>;
  /** What a daemon over a home with vectors is to be told. */
  readonly modelSettings: Readonly<Record<string, string>>;
  /** Removes the homes that were handed out, and the shelf unless it was named. */
  close(): void;
}

/** Keeps seeded stores in a folder, for the next run too when it is named. */
export function openShelf(named: string | undefined): StoreShelf {
  const folder = named ?? mkdtempSync(join(tmpdir(), "memsvc-speed-"));
  const handedOut: string[] = [];
  const schema = createHash("sha256").update(JSON.stringify(readMigrations())).digest("hex").slice(0, 8);
  const model = join(folder, "word-model");
  const modelSettings = { MEMSVC_EMBEDDING_PROVIDER: "static", MEMSVC_EMBEDDING_MODEL: model };
  const seededFile = async (documents: number) => {
    const seeded = join(folder, `${documents}-${schema}.db`);
    if (!existsSync(seeded)) await seed(seeded, documents);
    return seeded;
  };
  const homeOf = (seeded: string) => {
    const home = mkdtempSync(join(folder, "home-"));
    handedOut.push(home);
    copyFileSync(seeded, databaseFile(home));
    return home;
  };
  return {
    modelSettings,
    home: async (documents) => homeOf(await seededFile(documents)),
    homeWithVectors: async (documents) => {
      const written = Math.min(documents, mostWritten);
      const file = join(folder, `${documents}-vectors-${schema}.db`);
      if (!existsSync(model)) writeWordModel(model);
      const enlarge = async (core: Core) => {
        await addDocuments(core, documents - written);
        await addVectors(core);
      };
      if (!existsSync(file)) {
        const env = { ...modelSettings, MEMSVC_DURABILITY: "relaxed" };
        await make(file, env, enlarge, await seededFile(written));
      }
      return homeOf(file);
    },
    close: () => {
      for (const home of handedOut) rmSync(home, { recursive: true, force: true });
      if (named === undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Fills a store through the operations themselves, so that it is what use would have made of it. */
function seed(file: string, documents: number): Promise<void> {
  const memories = Math.round(documents * memoryShare);
  return make(file, {}, async (core) => {
    await inBatches(makeMemories({ documents: memories, seed: 3 }), together, (body) =>
      core.call(remember, body, { face: "library" }),
    );
    await inBatches(makeEvents({ documents: documents - memories, seed: 1 }), together, (body) =>
      core.call(observe, body, { face: "library" }),
    );
  });
}

/** Makes a file of the shelf out of an empty store, or of the seeded one that is named. */
async function make(
  file: string,
  env: Readonly<Record<string, string>>,
  fill: (core: Core) => Promise<void>,
  seeded?: string,
): Promise<void> {
  const home = `${file}.making`;
  rmSync(home, { recursive: true, force: true });
  mkdirSync(home, { recursive: true });
  if (seeded !== undefined) copyFileSync(seeded, databaseFile(home));
  const core = await openCore({ home, env });
  await fill(core);
  await comeToRest(core);
  await core.close();
  renameSync(databaseFile(home), file);
  rmSync(home, { recursive: true, force: true });
}

/** Every row has its place in the graph, or a daemon would give it that while it is measured; the log is empty. */
async function comeToRest({ ground }: Core): Promise<void> {
  const { sql } = ground.store.read;
  while ((await countPending(sql)) > 0) await graphSettled(ground);
  // What still stands in the log would stay behind.
  await sql.all("PRAGMA wal_checkpoint(TRUNCATE)");
}

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

/** More documents are added straight to the index: operations would take half an hour for a million. */
const mostWritten = 100_000;
const memoryShare = 0.02;
/** As many as the write queue puts into one commit. */
const together = 64;

/** Seeded stores. Each is made once and copied for every use, because measuring changes it. */
export interface StoreShelf {
  /** Makes a home whose store has this many documents. */
  home(documents: number): Promise<string>;
  /** The same with a vector for each document. Above 100,000, documents are added straight to the index. */
  homeWithVectors(documents: number): Promise<string>;
  /** Settings for a daemon over a home with vectors. */
  readonly modelSettings: Readonly<Record<string, string>>;
  /** Removes the homes that were handed out, and the shelf's folder unless the user named it. */
  close(): void;
}

/** Opens a shelf in the named folder, whose stores stay for the next run, or in a temporary one. */
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

/** Fills a store through the operations, so that it is as real use would leave it. */
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

/** Makes a store of the shelf: fills an empty store, or a copy of the file `seeded`. */
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

/** Places all pending rows in the graph, so that a daemon does not do so while it is measured, and empties the log. */
async function comeToRest({ ground }: Core): Promise<void> {
  const { sql } = ground.store.read;
  while ((await countPending(sql)) > 0) await graphSettled(ground);
  // Only the database file is copied; what is still in the write-ahead log would be lost.
  await sql.all("PRAGMA wal_checkpoint(TRUNCATE)");
}

import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { observe } from "../../src/capture/observations/operations.ts";
import { databaseName } from "../../src/core.ts";
import { remember } from "../../src/knowledge/memories/operations.ts";
import { openCore } from "../../src/open-core.ts";
import { readMigrations } from "../../src/store/migrations.ts";
import { makeEvents, makeMemories } from "./events.ts";

const memoryShare = 0.02;
/** As many as the write queue joins into one commit. */
const together = 64;

/** Seeded stores, made once and copied for each use, because what is measured changes them. */
export interface StoreShelf {
  /** A fresh home with so many documents in it. */
  home(documents: number): Promise<string>;
  /** Removes the homes that were handed out, and the shelf unless it was named. */
  close(): void;
}

/** Keeps seeded stores in a folder, for the next run too when it is named. */
export function openShelf(named: string | undefined): StoreShelf {
  const folder = named ?? mkdtempSync(join(tmpdir(), "memsvc-speed-"));
  const handedOut: string[] = [];
  const schema = createHash("sha256").update(JSON.stringify(readMigrations())).digest("hex").slice(0, 8);
  return {
    home: async (documents) => {
      const seeded = join(folder, `${documents}-${schema}.db`);
      if (!existsSync(seeded)) await seed(seeded, documents);
      const home = mkdtempSync(join(folder, "home-"));
      handedOut.push(home);
      copyFileSync(seeded, join(home, databaseName));
      return home;
    },
    close: () => {
      for (const home of handedOut) rmSync(home, { recursive: true, force: true });
      if (named === undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Fills a store through the operations themselves, so that it is what use would have made of it. */
async function seed(file: string, documents: number): Promise<void> {
  const home = `${file}.making`;
  rmSync(home, { recursive: true, force: true });
  mkdirSync(home, { recursive: true });
  const core = await openCore({ home, env: {} });
  const memories = Math.round(documents * memoryShare);
  await inBatches(makeMemories({ documents: memories, seed: 3 }), (body) =>
    core.call(remember, body, { face: "library" }),
  );
  await inBatches(makeEvents({ documents: documents - memories, seed: 1 }), (body) =>
    core.call(observe, body, { face: "library" }),
  );
  await core.close();
  renameSync(join(home, databaseName), file);
  rmSync(home, { recursive: true, force: true });
}

async function inBatches<T>(bodies: Iterable<T>, write: (body: T) => Promise<unknown>): Promise<void> {
  let batch: Promise<unknown>[] = [];
  for (const body of bodies) {
    batch.push(write(body));
    if (batch.length < together) continue;
    await Promise.all(batch);
    batch = [];
    // The native module frees what statements took when the event loop turns.
    await new Promise((resolve) => setImmediate(resolve));
  }
  await Promise.all(batch);
}

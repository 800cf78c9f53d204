import { readFileSync, writeFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { databaseFile } from "../../src/config/home.ts";
import { loadSettings } from "../../src/config/load.ts";
import { Core } from "../../src/core.ts";
import { JobWorker } from "../../src/jobs/worker.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

test("a job backfills the structural graph of an old store, and a new store gets no such job", async () => {
  const open = async (fixture: string | undefined) => {
    const home = temporaryFolder();
    if (fixture !== undefined) {
      const file = readFileSync(new URL(`fixtures/${fixture}`, import.meta.url));
      writeFileSync(databaseFile(home), gunzipSync(file));
    }
    const { settings } = loadSettings({ home, env: {}, fileText: undefined });
    return Core.open({ home, settings });
  };
  const fresh = await open(undefined);
  const old = await open("schema-2.db.gz");
  const waiting = (core: Core) =>
    core.ground.store.read.sql.values(
      "SELECT 1 FROM jobs WHERE kind = 'graph.backfill' AND status = 'queued'",
    );
  try {
    expect(await waiting(fresh)).toEqual([]);
    expect(await waiting(old)).toHaveLength(1);
    expect((await old.graph.stats({})).nodes).toBe(0);
    await JobWorker.runDue(old.ground, old.jobHandlers());
    const { sql } = old.ground.store.read;
    const [[stored]] = (await sql.values(
      "SELECT (SELECT count(*) FROM observations) + (SELECT count(*) FROM memories)",
    )) as [[number]];
    const [[linked]] = (await sql.values("SELECT count(*) FROM graph_sources WHERE structural = 1")) as [
      [number],
    ];
    expect(stored).toBeGreaterThan(0);
    expect(linked).toBe(stored);
    expect((await old.graph.stats({})).nodes).toBeGreaterThan(0);
  } finally {
    for (const core of [fresh, old]) await core.close();
  }
});

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadSettings } from "../../src/config/load.ts";
import { Core } from "../../src/core.ts";
import { Daemon } from "../../src/http/daemon.ts";
import { forget, remember } from "../../src/knowledge/memories/operations.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

test("a daemon does what commands left: it adds to the graph, and when it stops, takes what was forgotten out of the file", async () => {
  const home = temporaryFolder();
  const env = { MEMSVC_PORT: "0", MEMSVC_VIEWER: "false", MEMSVC_MODEL_DOWNLOAD: "never" };
  const { settings } = loadSettings({ home, env, fileText: undefined });
  const log = () => undefined;
  const command = await Core.open({ home, settings, log });
  await command.call(remember, { content: "Queues are drained", concepts: ["queue"] }, { face: "cli" });
  const { memoryId } = await command.call(remember, { content: "A condor nests there" }, { face: "cli" });
  await command.call(forget, { memoryId }, { face: "cli" });
  await command.close();
  const daemon = await Daemon.open({ home, settings, log });
  const reader = await Core.open({ home, settings, log });
  try {
    const names = () => reader.ground.store.read.sql.values("SELECT name FROM graph_nodes");
    await expect.poll(names).toEqual([["queue"]]);
  } finally {
    await reader.close();
    expect(await daemon.close()).toBe(true);
    const bytes = ["memsvc.db", "memsvc.db-wal"].map((name) => readFileSync(join(home, name), "latin1"));
    expect(bytes.some((text) => text.includes("condor"))).toBe(false);
    const after = await Core.open({ home, settings, log });
    const purges = "SELECT status FROM jobs WHERE kind = 'index.purge'";
    expect(await after.ground.store.read.sql.values(purges)).toEqual([["done"]]);
    await after.close();
  }
});

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadSettings } from "../../src/config/load.ts";
import { Core } from "../../src/core.ts";
import { Daemon } from "../../src/http/daemon.ts";
import { remember } from "../../src/knowledge/memories/operations.ts";

test("a daemon adds to the graph what commands stored before it started", async () => {
  const home = mkdtempSync(join(tmpdir(), "memsvc-left-"));
  const env = { MEMSVC_PORT: "0", MEMSVC_VIEWER: "false", MEMSVC_MODEL_DOWNLOAD: "never" };
  const { settings } = loadSettings({ home, env, fileText: undefined });
  const log = () => undefined;
  const command = await Core.open({ home, settings, log });
  await command.call(remember, { content: "Queues are drained", concepts: ["queue"] }, { face: "cli" });
  await command.close();
  const daemon = await Daemon.open({ home, settings, log });
  const reader = await Core.open({ home, settings, log });
  try {
    const names = () => reader.ground.store.read.sql.values("SELECT name FROM graph_nodes");
    await expect.poll(names).toEqual([["queue"]]);
  } finally {
    await reader.close();
    await daemon.close();
    rmSync(home, { recursive: true });
  }
});

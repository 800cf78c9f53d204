import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test, vi } from "vitest";
import { loadSettings } from "../../src/config/load.ts";
import { Core } from "../../src/core.ts";
import { Daemon } from "../../src/http/daemon.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

afterEach(() => vi.restoreAllMocks());

test("a daemon that cannot start tells why, even if what it had opened cannot be closed, which the log tells", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  await new Promise((listening) => other.once("listening", listening));
  const { port } = other.address() as AddressInfo;
  const close = vi.spyOn(Core.prototype, "close").mockImplementation(async function (this: Core) {
    close.mockRestore();
    await this.close();
    throw new Error("the disk is full");
  });
  const home = temporaryFolder();
  const env = { MEMSVC_PORT: String(port), MEMSVC_VIEWER: "false", MEMSVC_MODEL_DOWNLOAD: "never" };
  const { settings } = loadSettings({ home, env, fileText: undefined });
  const logged: unknown[] = [];
  const log = (level: string, message: string, fields = {}) => {
    logged.push([level, message, fields]);
  };
  await expect(Daemon.open({ home, settings, log })).rejects.toMatchObject({ code: "port_taken" });
  other.close();
  expect(logged).toEqual([
    [
      "warn",
      "the daemon could not start, and something of it could not be closed",
      { error: "Error: the disk is full" },
    ],
  ]);
  // The home is free again.
  const next = await Daemon.open({
    home,
    settings: loadSettings({ home, env: { ...env, MEMSVC_PORT: "0" }, fileText: undefined }).settings,
    log: () => undefined,
  });
  await next.close();
});

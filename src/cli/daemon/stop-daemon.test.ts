import { mkdirSync, readFileSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { releaseLock, takeLock } from "../../config/lock-file.ts";
import { killCommand } from "./kill-command.ts";
import { stopDaemon } from "./stop-daemon.ts";

afterEach(() => vi.unstubAllGlobals());

test("on Windows a daemon is stopped by a file instead of a signal, and awaited", async () => {
  const home = temporaryFolder();
  const kill = vi.fn();
  const platform = { platform: "win32", pid: process.pid, kill };
  vi.stubGlobal("process", Object.setPrototypeOf(platform, process));
  takeLock(home, { pid: process.pid, port: 0, host: "127.0.0.1" });
  mkdirSync(join(home, "memsvc.stop"));
  await expect(stopDaemon(home)).rejects.toMatchObject({
    code: "forbidden",
    message: expect.stringContaining("memsvc.stop cannot be written (EISDIR)"),
  });
  rmdirSync(join(home, "memsvc.stop"));
  const stopped = stopDaemon(home);
  await expect.poll(() => readFileSync(join(home, "memsvc.stop"), "utf8")).toBe(`${process.pid}\n`);
  releaseLock(home, process.pid);
  expect(await stopped).toMatchObject({ pid: process.pid });
  expect(kill).not.toHaveBeenCalled();
  expect(killCommand(7)).toBe("taskkill -f -pid 7");
});

import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { releaseLock, takeLock } from "../../config/lock-file.ts";
import { awaitService } from "./service-daemon.ts";

let home: string;
let server: Server;
beforeEach(async () => {
  home = temporaryFolder();
  server = createServer((_request, response) => response.end());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterEach(() => {
  server.close();
  releaseLock(home, process.pid);
});

/** A manager whose daemon runs for `lives` looks, and accepts requests from the look `answersAt` on. */
function managerOf({ lives, answersAt = Number.POSITIVE_INFINITY }: { lives: number; answersAt?: number }) {
  let looks = 0;
  const isRunning = () => {
    looks += 1;
    const { port } = server.address() as AddressInfo;
    if (looks === answersAt) takeLock(home, { pid: process.pid, port, host: "127.0.0.1" });
    return Promise.resolve(looks < lives);
  };
  return { name: "systemd", seeWhy: "journalctl", isRunning } as const;
}

test("a daemon that is slow to start is waited for as long as its service runs", async () => {
  const url = await awaitService(home, managerOf({ lives: 9, answersAt: 2 }), 60);
  expect(url).toContain(`:${(server.address() as AddressInfo).port}`);
});

test("a daemon that is gone is not waited for any longer", async () => {
  await expect(awaitService(home, managerOf({ lives: 3 }), 100)).rejects.toMatchObject({
    code: "daemon_unreachable",
    message: "systemd was told to run the daemon, but it still accepts no requests after 0.3 s",
  });
});

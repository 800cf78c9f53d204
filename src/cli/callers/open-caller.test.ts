import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { expect, test } from "vitest";
import { openPeerServer } from "../../../test/support/peer-server.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { readConfiguration } from "../../config/configuration.ts";
import { databaseFile } from "../../config/home.ts";
import { releaseLock, takeLock } from "../../config/lock-file.ts";
import { operationTable } from "../operations/operations.generated.ts";
import { openCaller } from "./open-caller.ts";

test("a store that cannot take the place of its daemon fails the call, and not once more at the end", async () => {
  const home = temporaryFolder();
  const port = await portOfNobody();
  takeLock(home, { pid: process.pid, port, host: "127.0.0.1" });
  writeFileSync(databaseFile(home), "no database".repeat(1_000));
  const caller = await openCaller({ ...readConfiguration({ home, env: {} }), offline: false, cwd: home });
  expect(caller.where.kind).toBe("daemon");
  const refusal = { code: "store_damaged" };
  await expect(caller.call(operationTable["sessions.list"], {})).rejects.toMatchObject(refusal);
  await expect(caller.call(operationTable["sessions.list"], {})).rejects.toMatchObject(refusal);
  await caller.close();
  releaseLock(home, process.pid);
});

test("what the daemon of a home was sent is not done once more here, where it dies over it", async () => {
  const home = temporaryFolder();
  const dying = await openPeerServer((request) => request.socket.destroy());
  takeLock(home, { pid: process.pid, port: dying.port, host: "127.0.0.1" });
  const caller = await openCaller({ ...readConfiguration({ home, env: {} }), offline: false, cwd: home });
  await expect(
    caller.call(operationTable["memories.remember"], { content: "kept once" }),
  ).rejects.toMatchObject({ code: "daemon_unreachable" });
  expect(existsSync(databaseFile(home))).toBe(false);
  await caller.close();
  releaseLock(home, process.pid);
  await dying.close();
});

async function portOfNobody(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

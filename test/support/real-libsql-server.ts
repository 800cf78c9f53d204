import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { openRemote } from "../../src/store/remote-driver.ts";
import type { PeerServer } from "./peer-server.ts";

/** The program of a libSQL server, which this project does not install. */
export const serverProgram = process.env.SQLD;

const readyTries = 100;
let lastPort = 20_000 + (process.pid % 20_000);

/** Runs that program over a folder, and waits until it answers. It needs no token. */
export async function openRealLibsqlServer(folder: string, port?: number): Promise<PeerServer> {
  lastPort += 2;
  const served = port ?? lastPort;
  const places = [
    "--http-listen-addr",
    `127.0.0.1:${served}`,
    "--grpc-listen-addr",
    `127.0.0.1:${served + 1}`,
  ];
  const server = spawn(serverProgram ?? "", ["--db-path", folder, ...places, "--no-welcome"], {
    stdio: "ignore",
  });
  const url = `http://127.0.0.1:${served}`;
  for (let attempt = 1; ; attempt += 1) {
    const driver = await openRemote(url, undefined);
    try {
      await driver.reader.all("SELECT 1");
      break;
    } catch (error) {
      if (attempt === readyTries) throw error;
      await wait(100);
    } finally {
      await driver.close();
    }
  }
  return {
    url,
    port: served,
    close: async () => {
      if (server.exitCode !== null || server.signalCode !== null) return;
      server.kill("SIGKILL");
      await once(server, "exit");
    },
  };
}

import { createServer, type Server } from "node:net";
import { afterEach, expect, test } from "vitest";
import { loadSettings } from "../config/load.ts";
import { listenForViewer } from "./viewer-port.ts";

const { settings } = loadSettings({ home: "/home", env: {}, fileText: undefined });
const taken: Server[] = [];
/** How often somebody connected to a port that is taken. */
let asked = 0;
afterEach(() => letGo());

function take(port: number): Promise<boolean> {
  const server = createServer((socket) => {
    asked += 1;
    socket.destroy();
  });
  return new Promise((resolve) => {
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => {
      taken.push(server);
      resolve(true);
    });
  });
}

async function letGo(): Promise<void> {
  await Promise.all(taken.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
}

/** The first of `count` consecutive free ports, below the range from which the system assigns ports. */
async function freePorts(count: number): Promise<number> {
  for (let first = 20_000 + (process.pid % 400) * 20; first < 32_000; first += 20) {
    let free = 0;
    while (free < count && (await take(first + free))) free += 1;
    await letGo();
    if (free === count) return first;
  }
  throw new Error("no ports in a row are free");
}

async function portOfViewer(apiPort: number): Promise<number | undefined> {
  const viewer = await listenForViewer(
    () => new Response(),
    settings,
    apiPort,
    () => undefined,
  );
  await viewer?.close(0);
  return viewer?.port;
}

test("the viewer's port is two above the API's, or else the next free one of ten more", async () => {
  const apiPort = await freePorts(13);
  expect(await portOfViewer(apiPort)).toBe(apiPort + 2);
  for (let port = apiPort + 2; port < apiPort + 12; port += 1) await take(port);
  expect(await portOfViewer(apiPort)).toBe(apiPort + 12);
  await take(apiPort + 12);
  expect(await portOfViewer(apiPort)).toBeUndefined();
  // A program that does not answer would delay the start, once for each of its ports.
  expect(asked).toBe(0);
});

test("a viewer's port beyond 65535 is reported as such", async () => {
  const told: string[] = [];
  const viewer = await listenForViewer(
    () => new Response(),
    settings,
    65_534,
    (_level, message) => told.push(message),
  );
  expect(viewer).toBeUndefined();
  expect(told).toEqual([
    "the viewer has no port: 65535 is the last there is; choose another with MEMSVC_VIEWER_PORT",
  ]);
});

import { execFileSync, spawn } from "node:child_process";
import { closeSync, constants, existsSync, openSync, writeSync } from "node:fs";
import { type ClientRequest, type IncomingMessage, request } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { beforeAll, type ExpectStatic, expect, test } from "vitest";
import { runningServer } from "../../src/config/lock-file.ts";
import { buildOnce, openSandbox, type Sandbox } from "../cli/program-process.ts";
import { homeOf, type RunningDaemon, serveWell, storeOf } from "./daemon.ts";
import { storedRows } from "./stored-rows.ts";

/** The contract's ten seconds for running requests. */
const graceMs = 10_000;
/** What a machine that is loaded heavily adds to them; a daemon that does not cut what runs waits for it for good. */
const slackMs = 15_000;
const memory = JSON.stringify({ content: "what was under way when the daemon was told to stop" });

const program = fileURLToPath(new URL("../../dist/main.cjs", import.meta.url));

beforeAll(buildOnce);

interface Served {
  readonly sandbox: Sandbox;
  readonly daemon: RunningDaemon;
  /** What polls must be this test's own: the imported one knows no test once another beside it has ended. */
  readonly expect: ExpectStatic;
}

/** A test with a daemon of its own, beside the others: one of them waits for ten seconds. */
function testServed(name: string, check: (served: Served) => Promise<void>): void {
  test.concurrent(name, async ({ expect }) => {
    const sandbox = openSandbox();
    try {
      await check({ sandbox, daemon: await serveWell(sandbox), expect });
    } finally {
      sandbox.remove();
    }
  });
}

/** A request whose body has only begun. */
function beginRemembering(daemon: RunningDaemon): {
  readonly sent: ClientRequest;
  readonly status: Promise<number | undefined>;
} {
  const sent = request(`${daemon.url}/remember`, {
    method: "POST",
    headers: { "content-type": "application/json", "content-length": Buffer.byteLength(memory) },
  });
  const status = new Promise<number | undefined>((resolve) => {
    sent.on("error", () => resolve(undefined));
    sent.on("response", (response: IncomingMessage) => {
      response.resume();
      response.on("end", () => resolve(response.statusCode));
    });
  });
  sent.write(memory.slice(0, 20));
  return { sent, status };
}

function isAnswered(url: string): Promise<boolean> {
  return fetch(url).then(
    () => true,
    () => false,
  );
}

// A terminal that is closed sends SIGHUP.
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
  testServed(
    `${signal} lets the running request end, then the daemon ends with 0 and gives the home free`,
    async ({ sandbox, daemon, expect }) => {
      const { sent, status } = beginRemembering(daemon);
      await sleep(200);
      const startedAt = performance.now();
      const ended = daemon.end(signal);
      await expect.poll(() => isAnswered(`${daemon.url}/livez`)).toBe(false);
      // Another program may take the port now, and would get what is meant for this daemon.
      expect(runningServer(homeOf(sandbox))).toMatchObject({ pid: daemon.pid, port: 0 });
      sent.end(memory.slice(20));
      expect(await status).toBe(201);
      expect(await ended).toMatchObject({ exit: 0, signal: null });
      expect(performance.now() - startedAt).toBeLessThan(graceMs);
      expect(existsSync(join(homeOf(sandbox), "memsvc.lock"))).toBe(false);
      expect(storedRows(storeOf(sandbox), "SELECT count(*) AS n FROM memories")).toMatchObject([{ n: 1 }]);
    },
  );
}

test.skipIf(process.platform === "win32")(
  "a daemon whose stdout is a full pipe ends with 0 on SIGTERM",
  async () => {
    const sandbox = openSandbox();
    const pipe = join(sandbox.folder, "full");
    execFileSync("mkfifo", [pipe]);
    const unread = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK);
    expect(() => {
      for (;;) writeSync(unread, Buffer.alloc(4_096));
    }).toThrow("EAGAIN");
    const words = [program, "serve", "--home", homeOf(sandbox), "--port", "0", "--no-viewer"];
    const child = spawn(process.execPath, words, { stdio: ["ignore", unread, "ignore"] });
    try {
      await expect.poll(() => runningServer(homeOf(sandbox))?.port, { timeout: slackMs }).toBeGreaterThan(0);
      // Its first line follows the port in the lock.
      await sleep(300);
      child.kill("SIGTERM");
      await expect.poll(() => child.exitCode, { timeout: slackMs }).toBe(0);
    } finally {
      child.kill("SIGKILL");
      closeSync(unread);
      sandbox.remove();
    }
  },
);

testServed("further stop signals do not cut a running request", async ({ sandbox, daemon }) => {
  const { sent, status } = beginRemembering(daemon);
  await sleep(200);
  const ended = daemon.end("SIGTERM");
  for (const signal of ["SIGTERM", "SIGINT", "SIGINT"] as const) {
    await sleep(100);
    process.kill(daemon.pid, signal);
  }
  await sleep(100);
  sent.end(memory.slice(20));
  expect(await status).toBe(201);
  expect(await ended).toMatchObject({ exit: 0, signal: null });
  expect(existsSync(join(homeOf(sandbox), "memsvc.lock"))).toBe(false);
});

testServed(
  "answers a request that came before the signal, however late the daemon reads it",
  async ({ daemon }) => {
    process.kill(daemon.pid, "SIGSTOP");
    const asked = Array.from({ length: 5 }, () => {
      const { sent, status } = beginRemembering(daemon);
      sent.end(memory.slice(20));
      return status;
    });
    await sleep(300);
    const ended = daemon.end("SIGTERM");
    process.kill(daemon.pid, "SIGCONT");
    expect(await Promise.all(asked)).toEqual([201, 201, 201, 201, 201]);
    expect(await ended).toMatchObject({ exit: 0, signal: null });
  },
);

testServed("an idle connection does not delay the end", async ({ daemon }) => {
  const socket = connect(daemon.port, "127.0.0.1");
  await new Promise((resolve) => socket.once("connect", resolve));
  const startedAt = performance.now();
  expect((await daemon.end("SIGTERM")).exit).toBe(0);
  expect(performance.now() - startedAt).toBeLessThan(graceMs);
  socket.destroy();
});

testServed("cuts a request that never ends after ten seconds", async ({ daemon }) => {
  const { sent, status } = beginRemembering(daemon);
  await sleep(200);
  const startedAt = performance.now();
  expect((await daemon.end("SIGTERM")).exit).toBe(0);
  expect(performance.now() - startedAt).toBeGreaterThan(graceMs - 1_000);
  expect(performance.now() - startedAt).toBeLessThan(graceMs + slackMs);
  expect(await status).toBeUndefined();
  sent.destroy();
});

import { spawn } from "node:child_process";
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { exchange } from "../client/plain-http.ts";
import { runningServer } from "../config/lock-file.ts";
import { MemsvcError } from "../operation/errors.ts";
import { addressOf } from "./daemon-address.ts";

const lookMs = 50;
const probeTimeoutMs = 2_000;

export interface StartOptions {
  /** Flags of `memsvc serve`, such as `--port`. */
  readonly flags?: readonly string[];
  /** How long to wait until it takes requests. */
  readonly waitMs?: number;
}

/**
 * Starts the daemon of a home as a process of its own, which outlives this one, and waits until it takes requests;
 * gives its address. Where another start was quicker, that daemon is the one: a home has only one at a time.
 * Error: daemon_unreachable, with what the daemon said.
 */
export async function startDaemon(home: string, options: StartOptions = {}): Promise<string> {
  const { flags = [], waitMs = 10_000 } = options;
  const folder = mkdtempSync(join(tmpdir(), "memsvc-start-"));
  const said = join(folder, "said.txt");
  try {
    const ended = spawnDetached(home, flags, said);
    for (const until = Date.now() + waitMs; Date.now() < until; await sleep(lookMs)) {
      const url = await runningUrl(home);
      if (url !== undefined) return url;
      // The loser of a race waits for the winner, which holds the home.
      if (ended() && runningServer(home) === undefined) throw didNotStart(lastLines(said));
    }
    throw didNotStart(`it takes no requests after ${waitMs} ms. ${lastLines(said)}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Whoever started it is not whom it works for: the daemon serves all agents of the home. */
function spawnDetached(home: string, flags: readonly string[], said: string): () => boolean {
  const { AGENT_ID: _starter, ...env } = process.env;
  const output = openSync(said, "w", 0o600);
  const child = spawn(process.execPath, [process.argv[1] ?? "", "serve", "--home", home, ...flags], {
    detached: true,
    stdio: ["ignore", output, output],
    // A folder that is there as long as the daemon.
    cwd: existsSync(homedir()) ? homedir() : "/",
    env,
    windowsHide: true,
  });
  closeSync(output);
  let hasEnded = false;
  child.once("error", () => {
    hasEnded = true;
  });
  child.once("exit", () => {
    hasEnded = true;
  });
  child.unref();
  return () => hasEnded;
}

/** The address of the home's daemon once it takes requests. */
async function runningUrl(home: string): Promise<string | undefined> {
  const server = runningServer(home);
  if (server === undefined || server.port === 0) return undefined;
  const url = addressOf(server);
  try {
    const request = { method: "GET", url: `${url}/livez`, headers: {}, body: undefined } as const;
    return (await exchange(request, probeTimeoutMs)).status === 200 ? url : undefined;
  } catch {
    // It is about to listen, or about to end: the next look tells.
    return undefined;
  }
}

function lastLines(path: string): string {
  return readFileSync(path, "utf8")
    .trim()
    .split("\n")
    .slice(-3)
    .join(" ")
    .replace(/^memsvc: /u, "");
}

function didNotStart(why: string): MemsvcError {
  return new MemsvcError(
    "daemon_unreachable",
    `the daemon did not start: ${why.trim() || "it said nothing"}`,
    {
      hint: "see why with: memsvc serve",
    },
  );
}

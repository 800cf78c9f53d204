import { spawn } from "node:child_process";
import { accessSync, closeSync, constants, openSync } from "node:fs";
import { devNull } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { exchange } from "../../client/plain-http.ts";
import { type LockHolder, runningServer } from "../../config/lock-file.ts";
import { readStartFlags, type StartFlags } from "../../config/start-flags.ts";
import { type ErrorCode, MemsvcError } from "../../operation/errors.ts";
import { errorCode } from "../../system/error-code.ts";
import { homeOfUser } from "../../system/home-of-user.ts";
import { runtimePath } from "../../system/runtime-path.ts";
import { onTerminationSignal } from "../terminal/termination-signals.ts";
import { serverUrl } from "./daemon-address.ts";
import { inheritedFiles } from "./inherited-files.ts";
import { killCommand } from "./kill-command.ts";
import { mergeStartFlags, serveArguments } from "./serve-flags.ts";
import { openStartupOutput, type StartupOutput } from "./startup-output.ts";

/** How long a daemon that lives is waited for: a small machine, or a busy one, takes many times what a laptop does. */
export const startPatienceMs = 60_000;
/** And one that has started before and does not answer. */
const hangPatienceMs = 10_000;
const lookMs = 50;
const probeTimeoutMs = 2_000;

export interface StartOptions {
  /** What flags of `memsvc serve` give; the others are those that the last one had, if it was not stopped for good. */
  readonly flags?: StartFlags;
  /** How long to wait until it takes requests. */
  readonly waitMs?: number;
}

/**
 * Starts the daemon of a home as a process of its own, which outlives this one, and waits until it takes requests;
 * gives its address. Where another start was quicker, that daemon is the one: a home has only one at a time.
 * Errors, with what the daemon said: its own start errors (invalid_setting, port_taken, home_locked, store_damaged),
 * else daemon_unreachable.
 */
export async function startDaemon(home: string, options: StartOptions = {}): Promise<string> {
  const { flags = {}, waitMs = startPatienceMs } = options;
  // Another one would wait for its turn, and take the home over when this one stops.
  const running = await runningUrl(home, refuseUnreachable);
  if (running !== undefined) return running;
  const said = openStartupOutput(home);
  const release = onTerminationSignal(said.remove);
  try {
    const words = serveArguments(mergeStartFlags(readStartFlags(home) ?? {}, flags));
    const startedAt = Date.now();
    const child = spawnDetached(home, words, said);
    const url = await awaitDaemon(home, waitMs, () => {
      const ending = child.ended();
      if (ending === undefined) return true;
      // The loser of a race waits for the winner, which holds the home.
      const holder = runningServer(home);
      if (holder === undefined) throw didNotStart(said.text(), ending);
      return holder.port === 0 || Date.now() < startedAt + hangPatienceMs;
    });
    if (url !== undefined) return url;
    const pid = runningServer(home)?.pid ?? child.pid;
    if (pid === undefined) throw didNotStart(said.text(), child.ended());
    throw new MemsvcError(
      "daemon_unreachable",
      `the daemon (pid ${pid}) still accepts no requests after ${Math.ceil((Date.now() - startedAt) / 1_000)} s`,
      {
        hint: `it may still be starting; if it hangs, ${killCommand(pid)} ends it, and no acknowledged write is lost`,
      },
    );
  } finally {
    release();
    said.remove();
  }
}

/** How its process ended: the exit code, or the signal that ended it. */
type Ending = number | NodeJS.Signals;

interface Spawned {
  /** Undefined where the system gave none. */
  readonly pid: number | undefined;
  /** Undefined as long as it lives. */
  readonly ended: () => Ending | undefined;
}

/** Whoever started it is not whom it works for: the daemon serves all agents of the home. */
function spawnDetached(home: string, words: readonly string[], said: StartupOutput): Spawned {
  const { AGENT_ID: _starter, ...env } = process.env;
  const child = said.into((output) =>
    withOwnFiles(["ignore", output, output], (stdio) =>
      spawn(runtimePath(), [process.argv[1] ?? "", "serve", "--home", home, ...words], {
        detached: true,
        stdio,
        cwd: lastingFolder(),
        env,
        windowsHide: true,
      }),
    ),
  );
  let ending: Ending | undefined;
  child.once("error", () => {
    ending = 1;
  });
  child.once("exit", (code, signal) => {
    ending = code ?? signal ?? 1;
  });
  child.unref();
  return { pid: child.pid, ended: () => ending };
}

type Stdio = (number | "ignore")[];

/** Has a process started with these files and nothing in the place of those that it would inherit: it would hold them for good. */
function withOwnFiles<T>(standard: Stdio, start: (stdio: Stdio) => T): T {
  const inherited = inheritedFiles();
  if (inherited.length === 0) return start(standard);
  const nothing = openSync(devNull, "r+");
  try {
    const stdio: Stdio = [...standard];
    while (stdio.length <= Math.max(...inherited)) stdio.push("ignore");
    for (const number of inherited) stdio[number] = nothing;
    return start(stdio);
  } finally {
    closeSync(nothing);
  }
}

/** A folder that is there as long as the daemon: the user's home, unless it is a file, or another user's, as in containers. */
function lastingFolder(): string {
  const folder = homeOfUser();
  try {
    // Of a file, too, the mode may allow this.
    accessSync(`${folder}/.`, constants.X_OK);
    return folder;
  } catch {
    return "/";
  }
}

/**
 * The address of the home's daemon as soon as it takes requests; undefined when it takes none in that time. After each
 * look in vain `goesOn` says whether to look again.
 */
export async function awaitDaemon(
  home: string,
  waitMs: number,
  goesOn: () => boolean = () => true,
): Promise<string | undefined> {
  for (const until = Date.now() + waitMs; Date.now() < until; await sleep(lookMs)) {
    const url = await runningUrl(home);
    if (url !== undefined) return url;
    if (!goesOn()) return undefined;
  }
  return undefined;
}

/** What the system says to a process that it keeps from the network, as in a sandbox. */
const keptFrom: ReadonlySet<string | undefined> = new Set(["EPERM", "EACCES", "ENETUNREACH", "EHOSTUNREACH"]);

/** Where the daemon may be well and this process is kept from it, nothing that is done to the daemon helps. */
function refuseUnreachable(error: unknown, server: LockHolder): void {
  const code = errorCode(error);
  if (!keptFrom.has(code)) return;
  const url = serverUrl(server);
  throw new MemsvcError(
    "daemon_unreachable",
    `this process may not connect to the daemon at ${url}, pid ${server.pid} (${code})`,
    { hint: `a sandbox prevents it; allow connections to ${new URL(url).host}`, cause: error },
  );
}

/** The address of the home's daemon once it takes requests; why it was not heard is for whoever wants to know. */
export async function runningUrl(
  home: string,
  unheard?: (error: unknown, server: LockHolder) => void,
): Promise<string | undefined> {
  const server = runningServer(home);
  if (server === undefined || server.port === 0) return undefined;
  const url = serverUrl(server);
  try {
    const request = { method: "GET", url: `${url}/livez`, headers: {}, body: undefined } as const;
    return (await exchange(request, probeTimeoutMs)).status === 200 ? url : undefined;
  } catch (error) {
    // It is about to listen, or about to end: the next look tells.
    unheard?.(error, server);
    return undefined;
  }
}

/** Exit codes of `memsvc serve` that tell why it did not start. */
const startErrors: Readonly<Record<number, ErrorCode>> = {
  2: "invalid_setting",
  3: "port_taken",
  4: "home_locked",
  5: "store_damaged",
};

const notStarted = "the daemon did not start: ";

/** The last thing that the daemon, or who started it, said, and the way out named there; or that somebody else ended it. */
export function didNotStart(said: string, ending: Ending | undefined): MemsvcError {
  if (ending === 0 || typeof ending === "string") {
    const how = ending === 0 ? "stopped" : `ended by ${ending}`;
    return new MemsvcError("daemon_unreachable", `the daemon was ${how} while it started`, {
      hint: "start it again: memsvc daemon start",
    });
  }
  const lines = said.split("\n").map((line) => line.replace(/^memsvc: /u, ""));
  const hint = lines.find((line) => line.startsWith("hint: "))?.slice("hint: ".length);
  const told = lines.filter((line) => line.trim() !== "" && !line.startsWith("hint: ")).at(-1);
  // The runtime ends its report of a crash with its own version.
  const crash = told?.startsWith("Node.js v") ? lines.find((line) => /^\w*Error\b/u.test(line)) : undefined;
  const why = crash ?? told?.replace(notStarted, "");
  return new MemsvcError(
    startErrors[ending ?? 1] ?? "daemon_unreachable",
    `${notStarted}${why ?? "it said nothing"}`,
    { hint: hint ?? "see why with: memsvc serve" },
  );
}

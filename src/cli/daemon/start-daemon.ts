import { spawn } from "node:child_process";
import { accessSync, closeSync, constants, openSync } from "node:fs";
import { devNull } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { livezRequest } from "../../client/livez-request.ts";
import { exchange } from "../../client/plain-http.ts";
import { type LockHolder, runningServer } from "../../config/lock-file.ts";
import { readStartFlags, type StartFlags } from "../../config/start-flags.ts";
import { errorTable, MemsvcError, startErrors } from "../../operation/errors.ts";
import { errorCode } from "../../system/error-code.ts";
import { homeOfUser } from "../../system/home-of-user.ts";
import { isSuspended } from "../../system/is-suspended.ts";
import { isOnOtherNetwork } from "../../system/other-network.ts";
import { runtimePath } from "../../system/runtime-path.ts";
import { onTerminationSignal } from "../terminal/termination-signals.ts";
import { serverUrl } from "./daemon-address.ts";
import { inheritedFiles } from "./inherited-files.ts";
import { killCommand } from "./kill-command.ts";
import { mergeStartFlags, serveArguments } from "./serve-flags.ts";
import { openStartupOutput, type StartupOutput } from "./startup-output.ts";
import { silentlySuspendedDaemon, suspendedError } from "./suspended-daemon.ts";

/** How long to wait for a daemon that is alive: small or busy machines take many times longer than a laptop. */
export const startPatienceMs = 60_000;
/** How long to wait for a daemon that was started by somebody else and does not answer. */
const hangPatienceMs = 10_000;
const lookMs = 50;
const probeTimeoutMs = 2_000;

interface StartOptions {
  /**
   * Settings from flags of `memsvc serve`; other flags are taken from the previous daemon, unless it was stopped
   * properly.
   */
  readonly flags?: StartFlags;
  /** How long to wait until it takes requests. */
  readonly waitMs?: number;
}

interface StartedDaemon {
  readonly url: string;
  /** Whether it has the given flags: false if it was running already, or if another start was quicker. */
  readonly isOurs: boolean;
}

/**
 * Starts a home's daemon as a process of its own, which outlives this one, and waits until it accepts requests. A home
 * has only one daemon: if another start was quicker, its daemon is used. Errors, with the daemon's message: its start
 * errors (invalid_setting, port_taken, home_locked, store_damaged), otherwise daemon_unreachable.
 */
export async function startDaemon(home: string, options: StartOptions = {}): Promise<StartedDaemon> {
  const { flags = {}, waitMs = startPatienceMs } = options;
  // A second daemon would wait for the home, and take it over when the first one stops.
  const running = await runningUrl(home, refuseUnreachable);
  if (running !== undefined) return { url: running, isOurs: false };
  const suspended = silentlySuspendedDaemon(home);
  if (suspended !== undefined)
    throw suspendedError(suspended, "memsvc daemon restart ends it and starts another");
  const said = openStartupOutput(home);
  const release = onTerminationSignal(said.remove);
  try {
    const words = serveArguments(mergeStartFlags(readStartFlags(home) ?? {}, flags));
    const startedAt = performance.now();
    const child = spawnDetached(home, words, said);
    const url = await awaitDaemon(home, waitMs, () => {
      const ending = child.ended();
      if (ending === undefined) return true;
      // The loser of a race waits for the winner, which holds the home.
      const holder = runningServer(home);
      if (holder === undefined) throw startFailure(said.text(), ending);
      return holder.port === 0 || performance.now() < startedAt + hangPatienceMs;
    });
    if (url !== undefined) {
      const isOurs = runningServer(home)?.pid === child.pid;
      // It may not have asked for the home yet, and would take it over if the other one is stopped first.
      if (!isOurs) child.giveUp();
      return { url, isOurs };
    }
    const pid = runningServer(home)?.pid ?? child.pid;
    if (pid === undefined) throw startFailure(said.text(), child.ended());
    throw new MemsvcError(
      "daemon_unreachable",
      `the daemon (pid ${pid}) still accepts no requests after ${Math.ceil((performance.now() - startedAt) / 1_000)} s`,
      {
        hint: `it may still be starting; if it hangs, ${killCommand(pid)} ends it, and no acknowledged write is lost`,
      },
    );
  } finally {
    release();
    said.remove();
  }
}

/** How the process ended: its exit code or a signal. */
type Ending = number | NodeJS.Signals;

interface Spawned {
  /** Undefined if the process could not be started. */
  readonly pid: number | undefined;
  /** Undefined while the process is running. */
  readonly ended: () => Ending | undefined;
  readonly giveUp: () => void;
}

/** AGENT_ID is removed: the daemon serves all agents of the home, not only the one that started it. */
function spawnDetached(home: string, words: readonly string[], said: StartupOutput): Spawned {
  const { AGENT_ID: _starter, ...env } = process.env;
  const child = said.into((output) =>
    withoutInheritedFiles(["ignore", output, output], (stdio) =>
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
  return { pid: child.pid, ended: () => ending, giveUp: () => child.kill("SIGTERM") };
}

type Stdio = (number | "ignore")[];

/**
 * Starts a process with these standard files, and with /dev/null in place of descriptors that it would otherwise
 * inherit and hold open.
 */
function withoutInheritedFiles<T>(standard: Stdio, start: (stdio: Stdio) => T): T {
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

/**
 * A working folder that exists as long as the daemon: the user's home, or `/` if that is not a folder we may enter (as
 * in some containers).
 */
function lastingFolder(): string {
  const folder = homeOfUser();
  try {
    // With `/.`, because a file's mode could allow X_OK too.
    accessSync(`${folder}/.`, constants.X_OK);
    return folder;
  } catch {
    return "/";
  }
}

/**
 * The address of the home's daemon as soon as it accepts requests; undefined if it does not within `waitMs`. After each
 * failed look `goesOn` decides whether to continue.
 */
export async function awaitDaemon(
  home: string,
  waitMs: number,
  goesOn: () => boolean = () => true,
): Promise<string | undefined> {
  for (const until = performance.now() + waitMs; performance.now() < until; await sleep(lookMs)) {
    const url = await runningUrl(home);
    if (url !== undefined) return url;
    if (!goesOn()) return undefined;
  }
  return undefined;
}

/** Errors of a process that a sandbox keeps from the network. */
const networkDenied: ReadonlySet<string | undefined> = new Set([
  "EPERM",
  "EACCES",
  "ENETUNREACH",
  "EHOSTUNREACH",
]);

function refuseUnreachable(error: unknown, server: LockHolder): void {
  const hindrance = hindranceOf(error, server);
  if (hindrance !== undefined) throw hindrance;
}

/**
 * What keeps only this process from a daemon that did not answer it; undefined if it may be the daemon's fault.
 * Otherwise the daemon may be fine, and nothing done to it would help.
 */
export function hindranceOf(error: unknown, server: LockHolder): MemsvcError | undefined {
  const code = errorCode(error);
  const url = serverUrl(server);
  if (code === "ECONNREFUSED" && isOnOtherNetwork(server.pid)) {
    return new MemsvcError(
      "daemon_unreachable",
      `the daemon at ${url}, pid ${server.pid}, is on another network than this process`,
      { hint: "a sandbox or container separates them: run this where the daemon runs", cause: error },
    );
  }
  if (!networkDenied.has(code)) return undefined;
  return new MemsvcError(
    "daemon_unreachable",
    `this process may not connect to the daemon at ${url}, pid ${server.pid} (${code})`,
    { hint: `a sandbox prevents it; allow connections to ${new URL(url).host}`, cause: error },
  );
}

/** The address of the home's daemon if it accepts requests; otherwise `unheard` is called with the reason. */
export async function runningUrl(
  home: string,
  unheard?: (error: unknown, server: LockHolder) => void,
): Promise<string | undefined> {
  const server = runningServer(home);
  if (server === undefined || server.port === 0 || isSuspended(server.pid)) return undefined;
  const url = serverUrl(server);
  try {
    return (await exchange(livezRequest(url), probeTimeoutMs)).status === 200 ? url : undefined;
  } catch (error) {
    // It is about to listen or to end: the next look will tell.
    unheard?.(error, server);
    return undefined;
  }
}

const notStarted = "the daemon did not start: ";

/**
 * The error with the last message of the daemon (or of whoever started it) and its hint, or the information that
 * somebody else ended it.
 */
export function startFailure(said: string, ending: Ending | undefined): MemsvcError {
  if (ending === 0 || typeof ending === "string") {
    const how = ending === 0 ? "stopped" : `ended by ${ending}`;
    return new MemsvcError("daemon_unreachable", `the daemon was ${how} while it started`, {
      hint: "start it again: memsvc daemon start",
    });
  }
  const lines = said.split("\n").map((line) => line.replace(/^memsvc: /u, ""));
  const hint = lines.find((line) => line.startsWith("hint: "))?.slice("hint: ".length);
  const told = lines.filter((line) => line.trim() !== "" && !line.startsWith("hint: ")).at(-1);
  // Node ends a crash report with its own version.
  const crash = told?.startsWith("Node.js v") ? lines.find((line) => /^\w*Error\b/u.test(line)) : undefined;
  const why = crash ?? told?.replace(notStarted, "");
  return new MemsvcError(
    startErrors.find((code) => errorTable[code].exit === ending) ?? "daemon_unreachable",
    `${notStarted}${why ?? "it said nothing"}`,
    { hint: hint ?? "see why with: memsvc serve" },
  );
}

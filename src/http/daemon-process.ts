import { chmodSync } from "node:fs";
import { type ConfigurationSources, readConfiguration } from "../config/configuration.ts";
import { configFile, databaseFile } from "../config/home.ts";
import type { Settings } from "../config/load.ts";
import { deleteStartFlags, saveStartFlags } from "../config/start-flags.ts";
import { clearStopRequest, isStopRequested } from "../config/stop-request.ts";
import type { Log } from "../ground.ts";
import { keepHeapsSmall } from "../jobs/heaps.ts";
import { isOpenToOthers } from "../paths/open-to-others.ts";
import { redactObject } from "../text/redaction/redact.ts";
import { Daemon } from "./daemon.ts";
import { logFile } from "./log-file.ts";
import { tryOrWarn } from "./try-or-warn.ts";
import { watchHome } from "./watch-home.ts";

/** How often the daemon looks whether it is asked to stop by a file, or whether its home was deleted. */
const lookMs = 1_000;
/** How long a process that has stopped waits for whoever reads what it said. */
const lastOutputMs = 1_000;
const unwritable = "the home cannot be written to:";

interface DaemonProcessOptions extends ConfigurationSources {
  /** Called once, when requests are accepted. `viewerUrl` is undefined where the viewer has no port of its own. */
  readonly ready: (url: string, viewerUrl: string | undefined, settings: Settings) => void;
  /** Called with warnings and errors, which are also in the log; without secrets, as there. */
  readonly complain: (complaint: Complaint) => void;
}

/** A message, and what belongs to it, such as the reason. */
type Complaint = Readonly<Record<string, unknown>>;

/** Signals that stop the daemon in order: `kill` and service managers, ^C, and a terminal that is closed. */
const stopSignals = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

/**
 * Runs the daemon in this process until a signal or a request stops it, or until its home is deleted or replaced.
 * Errors: those of Daemon.open.
 */
export async function runDaemon(options: DaemonProcessOptions): Promise<void> {
  keepHeapsSmall();
  const { home, settings, warnings } = readConfiguration(options);
  const toFile = logFile(home, settings.logLevel);
  const log: Log = (level, message, fields) => {
    toFile(level, message, fields);
    if (level === "error" || level === "warn") options.complain(redactObject({ message, ...fields }));
  };
  for (const warning of warnings) log("warn", warning);
  tightenConfigFile(home, log);
  const stopped = untilSignal();
  // A stop request for an earlier process with the same process id, which ended before it read it.
  tryOrWarn(log, `${unwritable} a request to stop stays there`, () => clearStopRequest(home));
  const daemon = await Daemon.open({ home, settings, log });
  tryOrWarn(log, `${unwritable} the flags of this start are not kept for the next`, () =>
    saveStartFlags(home, options.flags ?? {}),
  );
  try {
    options.ready(daemon.url, daemon.viewerUrl, settings);
  } catch (error) {
    // Otherwise the server would keep running with nothing left to stop it in order.
    await daemon.close();
    throw error;
  }
  log("info", "listening", { url: daemon.url, viewer: daemon.viewerUrl, pid: process.pid });
  const why = await firstOf(stopped, endSeen(home, settings, daemon));
  if (why.kind === "lost") {
    // Not logged: the log's folder is gone, or belongs to another daemon by now.
    const message = `${why.path} was deleted or replaced: nobody could read what is stored from now on`;
    options.complain({ message });
    await daemon.close({ lost: true });
    process.exit(1);
  }
  log("info", "stopping", { signal: why.signal });
  tryOrWarn(log, `${unwritable} the next start takes the flags of this one`, () => deleteStartFlags(home));
  tryOrWarn(log, `${unwritable} a request to stop stays there`, () => clearStopRequest(home));
  const isAtRest = await daemon.close();
  log("info", "stopped", { isAtRest });
  // Whatever the unfinished job still waits for would keep the process alive.
  if (!isAtRest) process.exit(0);
  endDespiteUnreadOutput();
}

/** A pipe that is full, because nobody reads it, would keep the process alive. */
function endDespiteUnreadOutput(): void {
  const isUnread = [process.stdout, process.stderr].some(({ writableLength }) => writableLength > 0);
  if (isUnread) setTimeout(() => process.exit(0), lastOutputMs).unref();
}

/** Why the daemon ends: a signal or a request stops it, or its home is lost. */
type End =
  | { readonly kind: "signal"; readonly signal: string }
  | { readonly kind: "lost"; readonly path: string };

function untilSignal(): Promise<End> {
  return new Promise((resolve) => {
    // `on`, not `once`: without a handler a second signal would kill the process and cut its running requests.
    for (const signal of stopSignals) process.on(signal, () => resolve({ kind: "signal", signal }));
  });
}

/** Looks whether the home is lost, or a file in it asks the daemon to stop. */
function endSeen(home: string, settings: Settings, daemon: Daemon): () => End | undefined {
  const whatIsLost = watchHome({
    home,
    database: databaseOf(home, settings),
    follow: () => daemon.followStore(),
  });
  return () => {
    const path = whatIsLost();
    if (path !== undefined) return { kind: "lost", path };
    return isStopRequested(home) ? { kind: "signal", signal: "memsvc.stop" } : undefined;
  };
}

/** Waits for a signal, or for the end that is seen at one of the looks. */
async function firstOf(signalled: Promise<End>, look: () => End | undefined): Promise<End> {
  let timer: NodeJS.Timeout | undefined;
  const seen = new Promise<End>((resolve) => {
    timer = setInterval(() => {
      const end = look();
      if (end !== undefined) resolve(end);
    }, lookMs);
    timer.unref();
  });
  try {
    return await Promise.race([signalled, seen]);
  } finally {
    clearInterval(timer);
  }
}

/** The store's file; undefined where the store is on a database server. */
function databaseOf(home: string, { dbUrl }: Settings): string | undefined {
  return dbUrl === undefined ? databaseFile(home) : undefined;
}

function tightenConfigFile(home: string, log: Log): void {
  const file = configFile(home);
  if (!isOpenToOthers(file)) return;
  try {
    chmodSync(file, 0o600);
    log("warn", `${file} could be read by others; its mode is 0600 now`);
  } catch (error) {
    // The file belongs to another user or is on a read-only disk: the mode is the decision of whoever put it there.
    log("warn", `${file} can be read by others, and its mode cannot be changed`, { error: String(error) });
  }
}

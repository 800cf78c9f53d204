import { type ConfigurationSources, readConfiguration } from "../../config/configuration.ts";
import { daemonLog } from "../../config/home.ts";
import {
  type LockHolder,
  refuseUnreadableLock,
  runningServer,
  verifiedServer,
} from "../../config/lock-file.ts";
import {
  deleteStartFlags,
  readStartFlags,
  type StartFlags,
  saveStartFlags,
} from "../../config/start-flags.ts";
import { validateForStart } from "../../config/validate-for-start.ts";
import { errorTable, isMemsvcError, MemsvcError } from "../../operation/errors.ts";
import { numberIn } from "../../operation/text-values.ts";
import type { CommandContext, CommandRun } from "../command.ts";
import { serverUrl } from "../daemon/daemon-address.ts";
import { modelNotice } from "../daemon/model-notice.ts";
import {
  asSettings,
  mergeStartFlags,
  restartFlags,
  serveArguments,
  startFlagsOf,
  unappliedFlags,
} from "../daemon/serve-flags.ts";
import { showLog } from "../daemon/show-log.ts";
import { hindranceOf, runningUrl, startDaemon } from "../daemon/start-daemon.ts";
import { stopDaemon } from "../daemon/stop-daemon.ts";
import { silentlySuspendedDaemon } from "../daemon/suspended-daemon.ts";
import { terminalOfStore } from "../location/same-store.ts";
import { storeHome } from "../location/store-home.ts";
import { jsonLine } from "../render/text.ts";
import { processEnvironment } from "../service/process-environment.ts";
import { reachableService, startByService } from "../service/service-daemon.ts";
import type { ServiceManager } from "../service/service-manager.ts";
import { serviceOf } from "../service/unit-file.ts";
import { onTerminationSignal } from "../terminal/termination-signals.ts";

/** Starts the daemon in the background, or says that one is running. */
export const start: CommandRun = async (context, _positional, flags) => {
  const home = storeHome(context.globals);
  const given = startFlagsOf(flags);
  const running = await runningUrl(home);
  if (running !== undefined) {
    tellRunning(context, home, running, false);
    tellUnapplied(context, unappliedFlags(home, given));
    return 0;
  }
  const service = await reachableService(home, context.terminal);
  if (service !== undefined) return startService(context, home, service, "start", given);
  const kept = readStartFlags(home) ?? {};
  const { url, isOurs } = await startAwaited(context, home, given);
  tellRunning(context, home, url, isOurs);
  if (isOurs) tellKept(context, kept);
  else tellUnapplied(context, unappliedFlags(home, given));
  const notice = modelNotice(context.configuration().settings);
  if (notice !== undefined) context.terminal.say(notice);
  return 0;
};

/**
 * Starts the daemon and waits until it accepts requests; a user who interrupts the waiting is told that it starts all
 * the same.
 */
async function startAwaited({ terminal }: CommandContext, home: string, flags: StartFlags) {
  const release = onTerminationSignal(() => terminal.say("interrupted: the daemon starts anyway"));
  return startDaemon(home, { flags }).finally(release);
}

export const stop: CommandRun = async (context) => {
  const { terminal, globals } = context;
  const home = storeHome(context.globals);
  const stopped = await stopDaemon(home);
  // Removes the flags of a daemon that crashed or failed to restart.
  if (stopped === undefined && !succeeds(() => deleteStartFlags(home)))
    terminal.say("the flags of the last daemon could not be removed: the next start uses them");
  if (globals.json) terminal.print(jsonLine({ stopped: stopped !== undefined, pid: stopped?.pid ?? null }));
  else
    terminal.print(stopped === undefined ? "no daemon runs" : `the daemon (pid ${stopped.pid}) has stopped`);
  if (serviceOf(home) !== undefined)
    terminal.say("its service starts it at the next login, unless that is removed: memsvc service uninstall");
  return 0;
};

export const restart: CommandRun = async (context, _positional, given) => {
  const home = storeHome(context.globals);
  const flags = startFlagsOf(given);
  const running = runningServer(home);
  const service = await reachableService(home, context.terminal);
  if (service !== undefined) {
    refuseFlags(flags);
    if (running !== undefined) refuseRestart(home, running, { env: processEnvironment(running.pid) });
    await stopDaemon(home);
    return startService(context, home, service, "restart", flags);
  }
  const { flags: kept, areLost } = restartFlags(home);
  const again = mergeStartFlags(kept, flags);
  if (running !== undefined) refuseRestart(home, running, { flags: again });
  const release = onTerminationSignal(() =>
    context.terminal.say("interrupted: the daemon may have stopped; start it with: memsvc daemon start"),
  );
  const stopped = await stopDaemon(home).finally(release);
  // The daemon deleted its flags when it was stopped.
  const areKept = stopped !== undefined && succeeds(() => saveStartFlags(home, kept));
  const { url } = await startAwaited(context, home, again).catch((error: unknown) => {
    throw stopped === undefined ? error : stayedStopped(error, stopped, areKept);
  });
  tellRunning(context, home, url, true);
  if (areLost && stopped !== undefined)
    context.terminal.say("the flags of the last daemon could not be read: this one has its port and host");
  return 0;
};

async function startService(
  context: CommandContext,
  home: string,
  service: ServiceManager,
  how: "start" | "restart",
  flags: StartFlags,
): Promise<number> {
  refuseFlags(flags);
  tellRunning(context, home, await startByService(home, service, how), true);
  context.terminal.say(`${service.name} runs it, as a service`);
  return 0;
}

/** A service takes its settings only from the config file. Error: invalid_input. */
function refuseFlags(flags: StartFlags): void {
  if (Object.keys(flags).length === 0) return;
  throw new MemsvcError("invalid_input", "the daemon of this home runs as a service, which takes no flags", {
    hint: asSettings(flags),
  });
}

/** Refuses to stop a running daemon if the next one could not start. Error: invalid_setting. */
function refuseRestart(
  home: string,
  { pid }: LockHolder,
  sources: Pick<ConfigurationSources, "env" | "flags">,
): void {
  try {
    validateForStart(readConfiguration({ home, ...sources }).settings);
  } catch (error) {
    if (!isMemsvcError(error)) throw error;
    throw new MemsvcError(error.code, `the daemon (pid ${pid}) still runs as it was: ${error.message}`, {
      hint: error.hint,
      cause: error,
    });
  }
}

/** False if the change failed, for example on a full disk. What follows then says what is wrong, or goes on without. */
function succeeds(change: () => void): boolean {
  try {
    change();
    return true;
  } catch {
    return false;
  }
}

function stayedStopped(error: unknown, { pid }: LockHolder, areFlagsKept: boolean): unknown {
  if (!isMemsvcError(error)) return error;
  const outcome = `the one that ran (pid ${pid}) has stopped${areFlagsKept ? "; the next start has its flags" : ""}`;
  return new MemsvcError(error.code, `${error.message}\n${outcome}`, { hint: error.hint, cause: error });
}

/** Tells whether a daemon is running and accepts requests; the exit code says so too. */
export const status: CommandRun = async (context) => {
  const { globals } = context;
  const terminal = terminalOfStore(context);
  const home = storeHome(context.globals);
  const hindrances: (MemsvcError | undefined)[] = [];
  const url = await runningUrl(home, (error, holder) => hindrances.push(hindranceOf(error, holder)));
  const [hindrance] = hindrances;
  const isStopped = url === undefined && silentlySuspendedDaemon(home) !== undefined;
  const server = url === undefined ? verifiedServer(home) : runningServer(home);
  if (server === undefined) refuseUnreadableLock(home);
  if (globals.json) {
    const address = server === undefined || server.port === 0 ? null : serverUrl(server);
    terminal.print(
      jsonLine({
        running: url !== undefined,
        pid: server?.pid ?? null,
        url: address,
        home,
        log: daemonLog(home),
      }),
    );
  } else if (server === undefined) terminal.print(`no daemon runs on ${home}\nstart it: memsvc daemon start`);
  else if (isStopped)
    terminal.print(
      `a daemon (pid ${server.pid}) is there, but suspended, as by Ctrl-Z\nlet it go on: fg in its terminal, or kill -CONT ${server.pid}; end it: memsvc daemon stop`,
    );
  else if (hindrance !== undefined) terminal.print(`${hindrance.message}\n${hindrance.hint ?? ""}`);
  else if (url === undefined)
    terminal.print(
      `a daemon (pid ${server.pid}) is there, but takes no requests\nsee what it does: memsvc daemon logs; end it: memsvc daemon stop`,
    );
  else terminal.print(`a daemon runs at ${url} (pid ${server.pid})\nits log is ${daemonLog(home)}`);
  return url === undefined ? errorTable.daemon_unreachable.exit : 0;
};

/** Prints the end of the log; with --follow also what is appended. */
export const logs: CommandRun = async (context, _positional, flags) => {
  const lines = typeof flags.lines === "string" ? (numberIn(flags.lines) ?? Number.NaN) : 50;
  return showLog(context, daemonLog(storeHome(context.globals)), { lines, follows: flags.follow === true });
};

function tellKept({ terminal }: CommandContext, kept: StartFlags): void {
  const words = serveArguments(kept);
  if (words.length === 0) return;
  terminal.say(
    `flags of the last one, where none are given: ${words.join(" ")} (memsvc daemon stop forgets them)`,
  );
}

function tellUnapplied({ terminal }: CommandContext, flags: StartFlags): void {
  const words = serveArguments(flags);
  if (words.length === 0) return;
  terminal.say(`it was started otherwise; to change that: memsvc daemon restart ${words.join(" ")}`);
}

function tellRunning({ terminal, globals }: CommandContext, home: string, url: string, isNew: boolean): void {
  const pid = runningServer(home)?.pid ?? null;
  // The daemon may have been stopped meanwhile.
  const which = pid === null ? url : `${url} (pid ${pid})`;
  if (globals.json) terminal.print(jsonLine({ started: isNew, url, pid }));
  else terminal.print(isNew ? `memsvc listening on ${which}` : `a daemon runs already at ${which}`);
}

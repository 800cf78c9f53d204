import { homedir } from "node:os";
import { join } from "node:path";
import { homeFolder } from "../../config/home.ts";
import { type LockHolder, runningServer } from "../../config/lock-file.ts";
import { readStartFlags, type StartFlags } from "../../config/start-flags.ts";
import { errorTable } from "../../operation/errors.ts";
import type { CommandContext, CommandRun } from "../command.ts";
import { addressOf } from "../daemon-address.ts";
import { showLog } from "../log-lines.ts";
import { jsonLine } from "../render/text.ts";
import { runningUrl, startDaemon } from "../start-daemon.ts";
import { stopDaemon } from "../stop-daemon.ts";

/** Starts the daemon in the background; where one runs already, says so. */
export const start: CommandRun = async (context, _positional, flags) => {
  const home = homeOf(context);
  const running = await runningUrl(home);
  const url = running ?? (await startDaemon(home, { flags: serveFlags(flags) }));
  tellRunning(context, home, url, running === undefined);
  return 0;
};

export const stop: CommandRun = async (context) => {
  const { terminal, globals } = context;
  const stopped = await stopDaemon(homeOf(context));
  if (globals.json) terminal.print(jsonLine({ stopped: stopped !== undefined, pid: stopped?.pid ?? null }));
  else
    terminal.print(stopped === undefined ? "no daemon runs" : `the daemon (pid ${stopped.pid}) has stopped`);
  return 0;
};

export const restart: CommandRun = async (context, _positional, flags) => {
  const home = homeOf(context);
  const earlier = readStartFlags(home);
  const stopped = await stopDaemon(home);
  // A port for the viewer asks for one.
  const kept = typeof flags.viewerPort === "string" ? { ...earlier, MEMSVC_VIEWER: undefined } : earlier;
  const url = await startDaemon(home, { flags: [...sameFlags(kept, stopped), ...serveFlags(flags)] });
  tellRunning(context, home, url, true);
  return 0;
};

/** Whether a daemon runs and takes requests; the exit code tells scripts. */
export const status: CommandRun = async (context) => {
  const { terminal, globals } = context;
  const home = homeOf(context);
  const server = runningServer(home);
  const url = await runningUrl(home);
  if (globals.json) {
    const address = server === undefined || server.port === 0 ? null : addressOf(server);
    terminal.print(
      jsonLine({
        running: url !== undefined,
        pid: server?.pid ?? null,
        url: address,
        home,
        log: logOf(home),
      }),
    );
  } else if (server === undefined) terminal.print(`no daemon runs on ${home}\nstart it: memsvc daemon start`);
  else if (url === undefined) terminal.print(`a daemon (pid ${server.pid}) is there, but takes no requests`);
  else terminal.print(`a daemon runs at ${url} (pid ${server.pid})\nits log is ${logOf(home)}`);
  return url === undefined ? errorTable.daemon_unreachable.exit : 0;
};

/** Prints the end of the log, and with --follow what is added to it. */
export const logs: CommandRun = async (context, _positional, flags) => {
  const lines = typeof flags.lines === "string" ? Number(flags.lines) : 50;
  return showLog(context, logOf(homeOf(context)), { lines, follows: flags.follow === true });
};

/** The home alone: a setting that keeps the daemon from starting must not keep one from stopping it. */
function homeOf({ globals }: CommandContext): string {
  return homeFolder({ flag: globals.home, env: process.env, userHome: homedir() });
}

function logOf(home: string): string {
  return join(home, "logs", "memsvc.log");
}

const serveOptions = { port: "--port", host: "--host", viewerPort: "--viewer-port" };

/** The flags by which `serve` would be again what it was; of a flag that is given twice the later counts. */
function sameFlags(earlier: StartFlags, stopped: LockHolder | undefined): string[] {
  const { MEMSVC_PORT: port, MEMSVC_HOST: host, MEMSVC_VIEWER_PORT: viewerPort, MEMSVC_VIEWER } = earlier;
  // Clients know a free port that was taken by the number that it turned out to be.
  const taken = port === "0" && stopped !== undefined ? String(stopped.port) : port;
  return serveFlags({ port: taken, host, viewerPort, viewer: MEMSVC_VIEWER !== "false" });
}

function serveFlags(flags: Readonly<Record<string, unknown>>): string[] {
  const given = Object.entries(serveOptions).flatMap(([name, option]) => {
    const value = flags[name];
    return typeof value === "string" ? [option, value] : [];
  });
  return flags.viewer === false ? [...given, "--no-viewer"] : given;
}

function tellRunning({ terminal, globals }: CommandContext, home: string, url: string, isNew: boolean): void {
  const pid = runningServer(home)?.pid ?? null;
  // Somebody may have stopped it meanwhile.
  const which = pid === null ? url : `${url} (pid ${pid})`;
  if (globals.json) terminal.print(jsonLine({ started: isNew, url, pid }));
  else terminal.print(isNew ? `memsvc listening on ${which}` : `a daemon runs already at ${which}`);
}

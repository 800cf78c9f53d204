import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { MemsvcError } from "../../operation/errors.ts";
import { xdgConfig } from "../../paths/application-data.ts";
import { errorCode, isMissing } from "../../system/error-code.ts";
import { homeOfUser } from "../../system/home-of-user.ts";
import {
  launchdLabel,
  launchdPlist,
  launchdWords,
  stopSeconds,
  systemdName,
  systemdUnit,
  systemdWords,
} from "./unit-templates.ts";

const lookMs = 250;
/** Three seconds have been observed. */
const longestBootstrapMs = 10_000;

/** The manager of user services on this system. */
export interface ServiceManager {
  readonly name: "systemd" | "launchd";
  /** Path of the unit file. */
  readonly path: string;
  readonly unit: (words: readonly string[]) => string;
  /** Whether the command in a unit file contains these words in sequence. */
  readonly hasWords: (unit: string, words: readonly string[]) => boolean;
  /** Error: unavailable if the manager is installed but does not run for this user. */
  check(): Promise<void>;
  /** Loads the unit file and starts the daemon. */
  start(): Promise<void>;
  /**
   * Starts the daemon of the loaded unit file. "start" does not disturb a running daemon, which may be about to accept
   * requests while somebody waits for it. Error: unavailable.
   */
  startAgain(how: "start" | "restart"): Promise<void>;
  /** Whether the process exists now; false while the manager waits before it restarts a failed one. */
  isRunning(): Promise<boolean>;
  /** Stops the daemon; to be called before the unit file is deleted. */
  stop(): Promise<void>;
  /** To be called after the unit file was deleted. */
  forget(): Promise<void>;
  /** The command that shows why a daemon did not start. */
  readonly seeWhy: string;
  /** Further information for the user. */
  readonly note?: () => string | undefined;
}

/** Error: unavailable if there is neither systemd nor launchd. */
export function requireServiceManager(platform: NodeJS.Platform = process.platform): ServiceManager {
  const manager = findServiceManager(platform);
  if (manager !== undefined) return manager;
  throw new MemsvcError("unavailable", `there is neither systemd nor launchd on ${platform}`, {
    hint: "start the daemon when you log in: memsvc daemon start",
  });
}

export function findServiceManager(platform: NodeJS.Platform): ServiceManager | undefined {
  if (platform === "linux") return systemd();
  return platform === "darwin" ? launchd() : undefined;
}

function systemd(): ServiceManager {
  const control = async (...args: readonly string[]): Promise<void> => {
    await run("systemctl", ["--user", ...args]);
  };
  return {
    name: "systemd",
    path: join(xdgConfig({ env: process.env, home: homeOfUser() }), "systemd", "user", systemdName),
    unit: systemdUnit,
    hasWords: (unit, words) => unit.includes(systemdWords(words)),
    check: () => control("show-environment"),
    start: async () => {
      await control("daemon-reload");
      await control("enable", systemdName);
      await control("restart", systemdName);
    },
    startAgain: (how) => control(how, systemdName),
    isRunning: () =>
      control("is-active", "--quiet", systemdName).then(
        () => true,
        () => false,
      ),
    stop: () => control("disable", "--now", systemdName),
    forget: () => control("daemon-reload"),
    seeWhy: `journalctl --user --unit ${systemdName}`,
    note: () => (lingers() ? undefined : "it ends when you log out, unless: loginctl enable-linger"),
  };
}

/** Whether the user's services keep running without a login ("lingering"), which systemd records in a file. */
function lingers(): boolean {
  return existsSync(join("/var/lib/systemd/linger", userInfo().username));
}

function launchd(): ServiceManager {
  const path = join(homeOfUser(), "Library", "LaunchAgents", `${launchdLabel}.plist`);
  const domain = `gui/${userInfo().uid}`;
  const service = `${domain}/${launchdLabel}`;
  const control = (...args: readonly string[]) => run("launchctl", args);
  const load = async (): Promise<void> => {
    // A loaded service keeps its old property list, and is not started again within half a minute.
    await unload(control, service);
    // A service that was disabled, for example in the system settings, is not loaded; and that state survives its
    // property list.
    await control("enable", service);
    await bootstrapWithRetries(() => control("bootstrap", domain, path));
  };
  const isRunning = () =>
    control("print", service).then(
      (told) => /^\s*pid = \d+$/mu.test(told),
      () => false,
    );
  return {
    name: "launchd",
    path,
    unit: launchdPlist,
    hasWords: (unit, words) => unit.includes(launchdWords(words)),
    check: async () => {
      await control("print", domain);
    },
    start: load,
    startAgain: async (how) => {
      if (how === "restart" || !(await isRunning())) await load();
    },
    isRunning,
    stop: () => unload(control, service),
    forget: () => Promise.resolve(),
    seeWhy: "memsvc serve",
  };
}

/**
 * Unloads a service and waits until launchd has done so, since launchctl returns before. A service that is not loaded
 * needs nothing. Error: unavailable.
 */
async function unload(control: Control, service: string): Promise<void> {
  const isLoaded = () =>
    control("print", service).then(
      () => true,
      () => false,
    );
  const refusal: unknown = await control("bootout", service).catch((error: unknown) => error);
  for (const until = performance.now() + (stopSeconds + 5) * 1_000; await isLoaded(); await sleep(lookMs))
    if (performance.now() > until)
      throw refusal ?? new MemsvcError("unavailable", `launchd does not unload ${service}`);
}

type Control = (...args: readonly string[]) => Promise<string>;

/** launchctl's exit codes while launchd is still unloading the same service: EIO, EALREADY. */
const stillUnloading: ReadonlySet<string | undefined> = new Set(["5", "37"]);

/** Retries for some seconds while launchd is not ready. */
async function bootstrapWithRetries(bootstrap: () => Promise<unknown>): Promise<void> {
  for (const until = performance.now() + longestBootstrapMs; ; await sleep(lookMs)) {
    try {
      await bootstrap();
      return;
    } catch (error) {
      const isLate = performance.now() > until;
      if (isLate || !(error instanceof Error) || !stillUnloading.has(errorCode(error.cause))) throw error;
    }
  }
}

/** Runs a system program and returns its output. Error: unavailable, with what the program printed. */
async function run(program: string, args: readonly string[]): Promise<string> {
  try {
    return (await promisify(execFile)(program, [...args])).stdout;
  } catch (error) {
    const lines = error instanceof Error && "stderr" in error ? String(error.stderr).trim().split("\n") : [];
    // launchctl always ends with the advice to retry as root, who does not have the user's services.
    const said = lines.findLast((line) => !line.startsWith("Try re-running the command as root"));
    const isOutsideLogin = said?.includes("connect to bus") === true;
    const why = isMissing(error) ? `${program} is not there` : said || `${program} ${args.join(" ")} failed`;
    throw new MemsvcError("unavailable", `no service can be set up here: ${why}`, {
      hint: isOutsideLogin
        ? `log in as the user whose service it is to be (su and cron do not), or: export XDG_RUNTIME_DIR=/run/user/${process.getuid?.()}; without a service: memsvc daemon start`
        : "run it in the background without one: memsvc daemon start; see the file for other systems: memsvc service install --print-unit",
      cause: error,
    });
  }
}

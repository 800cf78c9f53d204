import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { MemsvcError } from "../../operation/errors.ts";
import { errorCode } from "../../system/error-code.ts";
import { homeOfUser } from "../../system/home-of-user.ts";
import { xdgConfig } from "../connect/places.ts";
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
/** It has been seen to take three seconds. */
const longestBootstrapMs = 10_000;

/** What runs services for a user on this system. */
export interface ServiceManager {
  readonly name: "systemd" | "launchd";
  /** Where the file goes that tells it of the daemon. */
  readonly path: string;
  readonly unit: (words: readonly string[]) => string;
  /** Whether the program of a file is given these words, one after another. */
  readonly hasWords: (unit: string, words: readonly string[]) => boolean;
  /** Error: unavailable where it is installed, but does not run for this user. */
  check(): Promise<void>;
  /** Takes the file up and starts the daemon. */
  start(): Promise<void>;
  /**
   * Starts the daemon of the file that it has taken up. To "start" leaves one that runs alone: it may be about to take
   * requests, and somebody else waits for it. Error: unavailable.
   */
  startAgain(how: "start" | "restart"): Promise<void>;
  /** Whether there is a process now; not while it waits to start one that failed again. */
  isRunning(): Promise<boolean>;
  /** Stops the daemon; called before the file goes. */
  stop(): Promise<void>;
  /** Called after the file is gone. */
  forget(): Promise<void>;
  /** The way to what a daemon said that did not start. */
  readonly seeWhy: string;
  /** What else a user may want to know. */
  readonly note?: () => string | undefined;
}

/** Error: unavailable where there is neither. */
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

/** Whether the user's services go on while nobody is logged in: systemd notes it so. */
function lingers(): boolean {
  return existsSync(join("/var/lib/systemd/linger", userInfo().username));
}

function launchd(): ServiceManager {
  const path = join(homeOfUser(), "Library", "LaunchAgents", `${launchdLabel}.plist`);
  const domain = `gui/${userInfo().uid}`;
  const service = `${domain}/${launchdLabel}`;
  const control = (...args: readonly string[]) => run("launchctl", args);
  const load = async (): Promise<void> => {
    // One that is loaded already keeps its old list, and is not started twice in half a minute.
    await unloaded(control, service);
    // What was turned off, in the system's settings say, is not taken up; and that outlasts its list.
    await control("enable", service);
    await bootstrapped(() => control("bootstrap", domain, path));
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
    stop: () => unloaded(control, service),
    forget: () => Promise.resolve(),
    seeWhy: "memsvc serve",
  };
}

/**
 * Has launchd give a service up, and waits until it has: it answers before that. One that it does not know is given up
 * already. Error: unavailable.
 */
async function unloaded(control: Control, service: string): Promise<void> {
  const isLoaded = () =>
    control("print", service).then(
      () => true,
      () => false,
    );
  const refusal: unknown = await control("bootout", service).catch((error: unknown) => error);
  for (const until = Date.now() + (stopSeconds + 5) * 1_000; await isLoaded(); await sleep(lookMs))
    if (Date.now() > until)
      throw refusal ?? new MemsvcError("unavailable", `launchd does not unload ${service}`);
}

type Control = (...args: readonly string[]) => Promise<string>;

/** What launchctl ends with while launchd is still at giving the same service up: EIO, EALREADY. */
const notYet: ReadonlySet<string | undefined> = new Set(["5", "37"]);

/** Asks again for some seconds where launchd is not ready. */
async function bootstrapped(bootstrap: () => Promise<unknown>): Promise<void> {
  for (const until = Date.now() + longestBootstrapMs; ; await sleep(lookMs)) {
    try {
      await bootstrap();
      return;
    } catch (error) {
      const isLate = Date.now() > until;
      if (isLate || !(error instanceof Error) || !notYet.has(errorCode(error.cause))) throw error;
    }
  }
}

/** Runs a program of the system; gives what it prints. Error: unavailable, with what it said. */
async function run(program: string, args: readonly string[]): Promise<string> {
  try {
    return (await promisify(execFile)(program, [...args])).stdout;
  } catch (error) {
    const isMissing = errorCode(error) === "ENOENT";
    const lines = error instanceof Error && "stderr" in error ? String(error.stderr).trim().split("\n") : [];
    // launchctl ends whatever it says with the advice to ask as root, who has none of the user's services.
    const said = lines.findLast((line) => !line.startsWith("Try re-running the command as root"));
    const isOutsideLogin = said?.includes("connect to bus") === true;
    const why = isMissing ? `${program} is not there` : said || `${program} ${args.join(" ")} failed`;
    throw new MemsvcError("unavailable", `no service can be set up here: ${why}`, {
      hint: isOutsideLogin
        ? `log in as the user whose service it is to be (su and cron do not), or: export XDG_RUNTIME_DIR=/run/user/${process.getuid?.()}; without a service: memsvc daemon start`
        : "run it in the background without one: memsvc daemon start; see the file for other systems: memsvc service install --print-unit",
      cause: error,
    });
  }
}

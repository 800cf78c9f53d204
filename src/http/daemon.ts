import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Settings } from "../config/load.ts";
import { hasLock, lockPath, releaseLock, takeLock, updateLock } from "../config/lock-file.ts";
import { Core } from "../core.ts";
import type { Log } from "../ground.ts";
import { ThreadedKeywordIndex } from "../index/threaded-index.ts";
import { sweeps } from "../jobs/sweeps.ts";
import { JobWorker } from "../jobs/worker.ts";
import { MemsvcError } from "../operation/errors.ts";
import { packageFolder } from "../store/migrations.ts";
import { httpApp } from "./app.ts";
import { isLoopback } from "./hosts.ts";
import { type Listener, listen } from "./listen.ts";
import { defaultPrefix } from "./prefixes.ts";

const graceMs = 10_000;
/** How long a second server waits for one that has the home but takes no requests yet. */
const startingMs = 5_000;
const lockPauseMs = 100;

export interface DaemonOptions {
  readonly home: string;
  readonly settings: Settings;
  readonly log: Log;
}

/** The server of a home: one core, its job worker and its HTTP face. One per home. */
export class Daemon {
  readonly url: string;
  readonly #home: string;
  readonly #core: Core;
  readonly #jobs: JobWorker;
  readonly #listener: Listener;

  private constructor(home: string, host: string, core: Core, jobs: JobWorker, listener: Listener) {
    this.#home = home;
    this.#core = core;
    this.#jobs = jobs;
    this.#listener = listener;
    this.url = `http://${host.includes(":") ? `[${host}]` : host}:${listener.port}${defaultPrefix}`;
  }

  /** Starts it. Errors: invalid_setting, home_locked, port_taken, store_damaged, store_newer. */
  static async open({ home, settings, log }: DaemonOptions): Promise<Daemon> {
    refuseOpenNetwork(settings);
    mkdirSync(home, { recursive: true, mode: 0o700 });
    // A lock that can be taken although it is there was left by a server that came to no proper end.
    const afterCrash = hasLock(home);
    await lockHome(home, settings.host);
    const opened: { close(): Promise<void> }[] = [];
    try {
      const core = await Core.open({ home, settings, log, keywordIndex: searchThread, afterCrash });
      opened.unshift(core);
      let port = settings.port;
      const app = httpApp({ core, ports: () => ({ api: port, viewer: core.viewer.viewerPort }) });
      const listener = await listen(
        (request) => app.fetch(request),
        settings.host,
        port,
        (message) => log("info", message),
      );
      opened.unshift({ close: () => listener.close(0) });
      port = listener.port;
      const jobs = await JobWorker.open(core.ground, [...core.jobHandlers(), ...sweeps(core)]);
      core.ground.wakeJobs = () => jobs.wake();
      core.health.workers = () => [{ id: "jobs", name: "background jobs", status: jobs.state }];
      await core.health.start();
      updateLock(home, { pid: process.pid, port, host: settings.host });
      return new Daemon(home, settings.host, core, jobs, listener);
    } catch (error) {
      for (const resource of opened) await resource.close();
      // As long as the store has not been found sound, the lock stays and makes the next start look again.
      if (!afterCrash || opened.length > 0) releaseLock(home, process.pid);
      throw error;
    }
  }

  /** Takes no new requests, lets running ones end within 10 s, closes the store, gives the home free. */
  async close(): Promise<void> {
    await this.#listener.close(graceMs);
    await this.#jobs.close();
    this.#core.health.stop();
    await this.#core.close();
    releaseLock(this.#home, process.pid);
  }
}

function searchThread(databasePath: string): ThreadedKeywordIndex {
  const index = new ThreadedKeywordIndex(join(packageFolder(), "dist", "search-thread.cjs"), databasePath);
  index.warm();
  return index;
}

function refuseOpenNetwork(settings: Settings): void {
  if (isLoopback(settings.host) || settings.secret !== undefined) return;
  throw new MemsvcError(
    "invalid_setting",
    `listening on ${settings.host} would open the store to the network without a secret`,
    {
      hint: "set MEMSVC_SECRET in the config file, or listen on 127.0.0.1",
    },
  );
}

/** A server that is about to start is given time: to tell its port, or to give the home free when it fails. */
async function lockHome(home: string, host: string): Promise<void> {
  for (let waitedMs = 0; ; waitedMs += lockPauseMs) {
    const lock = takeLock(home, { pid: process.pid, port: 0, host });
    if (lock.kind === "taken") return;
    const { pid, port } = lock.by;
    if (port !== 0 || waitedMs >= startingMs) throw homeLocked(home, pid, port);
    await new Promise((resolve) => setTimeout(resolve, lockPauseMs));
  }
}

function homeLocked(home: string, pid: number, port: number): MemsvcError {
  return new MemsvcError(
    "home_locked",
    `memsvc already runs on this home: pid ${pid}, ${port === 0 ? "starting" : `port ${port}`}`,
    {
      hint: `use that one, or stop it first (kill ${pid}); the lock is ${lockPath(home)}`,
    },
  );
}

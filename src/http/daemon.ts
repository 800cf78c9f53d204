import { join } from "node:path";
import type { Settings } from "../config/load.ts";
import { releaseLock, updateLock, withdrawPort } from "../config/lock-file.ts";
import { validateForStart } from "../config/validate-for-start.ts";
import { Core } from "../core.ts";
import { fetchMissingModel } from "../embedding/models/fetch-missing.ts";
import { threadedRowReading } from "../governance/transfer/threaded-row-reading.ts";
import { pendingLayersOf } from "../graph/structural/pending.ts";
import type { Log } from "../ground.ts";
import type { SearchIndexes } from "../index/search-streams.ts";
import { withBrackets } from "../net/host-brackets.ts";
import { threadedStreams } from "../recall/threads/threaded-streams.ts";
import { packageFolder } from "../store/migrations.ts";
import { threadedFileWork } from "../store/threaded-file-work.ts";
import { beforeTimeout } from "../time/before-timeout.ts";
import { acquireHome } from "./acquire-home.ts";
import { httpApp } from "./app.ts";
import { BackgroundWork } from "./background-work.ts";
import { type Fetch, type Listener, listen } from "./listen.ts";
import { defaultPrefix } from "./route-prefixes.ts";
import { tryOrWarn } from "./try-or-warn.ts";
import { listenForViewer, viewerHandler } from "./viewer-port.ts";

const graceMs = 10_000;

interface DaemonOptions {
  readonly home: string;
  readonly settings: Settings;
  readonly log: Log;
}

interface Parts {
  readonly home: string;
  readonly host: string;
  readonly core: Core;
  readonly background: BackgroundWork;
  readonly listener: Listener;
  readonly viewer: Listener | undefined;
}

/** The server of a home: one core, its background work and its HTTP face. One per home. */
export class Daemon {
  readonly url: string;
  /** Address of the viewer's own port; undefined if it has none. */
  readonly viewerUrl: string | undefined;
  readonly #home: string;
  readonly #core: Core;
  readonly #background: BackgroundWork;
  readonly #closing = new AbortController();
  readonly #listeners: readonly Listener[];
  /** Error of the last `followStore`, kept so that the same error is logged only once. */
  #trouble: string | undefined;

  private constructor({ home, host, core, background, listener, viewer }: Parts) {
    this.#home = home;
    this.#core = core;
    this.#background = background;
    this.#listeners = viewer === undefined ? [listener] : [listener, viewer];
    const origin = `http://${withBrackets(host)}`;
    this.url = `${origin}:${listener.port}${defaultPrefix}`;
    this.viewerUrl = viewer && `${origin}:${viewer.port}/`;
  }

  /** Starts the daemon. Errors: invalid_setting, home_locked, port_taken, store_damaged, store_newer. */
  static async open({ home, settings, log }: DaemonOptions): Promise<Daemon> {
    validateForStart(settings);
    const { afterCrash } = await acquireHome(home, settings.host);
    const opened: { close(): Promise<void> }[] = [];
    try {
      const fileWork = threadedFileWork(threadFile("file-thread.cjs"));
      const readRows = threadedRowReading(threadFile("row-thread.cjs"));
      const core = await Core.open({ home, settings, log, searchIndexes, fileWork, readRows, afterCrash });
      opened.unshift(core);
      let port = settings.port;
      const ports = () => ({ api: port, viewer: core.viewerPort });
      const app = httpApp({ core, ports });
      const api: Fetch = (request) => app.fetch(request);
      const listener = await listen(api, settings.host, port, (message) => log("info", message));
      opened.unshift({ close: () => listener.close(0) });
      port = listener.port;
      const viewer = await listenForViewer(viewerHandler({ api, settings, log, ports }), settings, port, log);
      if (viewer !== undefined) {
        opened.unshift({ close: () => viewer.close(0) });
        core.viewerPort = viewer.port;
      }
      const background = await BackgroundWork.start(core);
      opened.unshift(background);
      opened.unshift({ close: async () => core.health.stop() });
      await core.health.start();
      pendingLayersOf(core.ground).takeUp();
      updateLock(home, { pid: process.pid, port, host: settings.host });
      const daemon = new Daemon({ home, host: settings.host, core, background, listener, viewer });
      void daemon.#fetchModel();
      return daemon;
    } catch (error) {
      for (const resource of opened) await closeOrWarn(resource, log);
      // After a crash the lock stays until the store has been opened and found sound: it makes the next start check it
      // again.
      if (!afterCrash || opened.length > 0) releaseHome(home, log);
      throw error;
    }
  }

  /**
   * Switches to a store file that another process has put in place; needed because an idle daemon gets no request that
   * would notice it.
   */
  followStore(): void {
    const { store, log } = this.#core.ground;
    store.followFile().then(
      () => {
        this.#trouble = undefined;
      },
      (error: unknown) => {
        const trouble = String(error);
        // This runs every second, and the trouble may last for hours.
        if (trouble !== this.#trouble) log("warn", "the store could not be looked at", { error: trouble });
        this.#trouble = trouble;
      },
    );
  }

  /** Runs in the background; if it fails, health tells why there are no vectors. */
  async #fetchModel(): Promise<void> {
    const { settings, log } = this.#core.ground;
    const problem = await fetchMissingModel(this.#home, settings, log, this.#closing.signal);
    this.#core.embeddings.fetchProblem = problem;
    this.#background.wakeEmbedder();
  }

  /**
   * Takes no new requests and no new jobs, lets running ones end within 10 s, takes what was deleted out of the store's
   * files (unless they are `lost`), closes the store and releases the home; a store with damaged pages keeps its lock.
   * False when a job was left running: it is taken up again when its claim expires.
   */
  async close({ lost = false } = {}): Promise<boolean> {
    const { log, store } = this.#core.ground;
    if (!lost)
      tryOrWarn(log, "the lock still names the port that is given up", () => withdrawPort(this.#home));
    const ends = [this.#background.endJobs(), this.#core.longRuns.settled()];
    // A job may wait for a thread that does not keep the process alive; the timer of beforeTimeout does.
    const jobsEnded = beforeTimeout(Promise.all(ends), graceMs);
    this.#closing.abort();
    await this.#background.endVectors();
    await Promise.all(this.#listeners.map((listener) => listener.close(graceMs)));
    // Requests have had their time by now; jobs that still wait for a model go back into the queue.
    await this.#core.ground.llm.close();
    const isAtRest = (await jobsEnded) !== "late";
    this.#core.health.stop();
    if (isAtRest && !lost && !store.damage.isMet && !store.isReadOnly) await this.#background.purge();
    await this.#core.close();
    // A lock left by a process that is gone makes the next start check every page, as after a crash.
    if (!store.damage.isMet) releaseHome(this.#home, log);
    return isAtRest;
  }
}

/** What keeps the daemon from starting is what its user must know, not what follows from it. */
async function closeOrWarn(resource: { close(): Promise<void> }, log: Log): Promise<void> {
  try {
    await resource.close();
  } catch (error) {
    log("warn", "the daemon could not start, and something of it could not be closed", {
      error: String(error),
    });
  }
}

/**
 * Releases the home. A lock that cannot be removed, as on a read-only disk, keeps nobody out: the next start takes it
 * over.
 */
function releaseHome(home: string, log: Log): void {
  tryOrWarn(log, "the lock of the home could not be removed", () => releaseLock(home, process.pid));
}

function searchIndexes(databasePath: string, failed: (error: unknown) => void): SearchIndexes {
  return threadedStreams(threadFile("search-thread.cjs"), databasePath, failed);
}

function threadFile(name: string): string {
  return join(packageFolder(), "dist", name);
}

import { rmSync } from "node:fs";
import { dirname } from "node:path";
import { saveStartFlags } from "../../config/start-flags.ts";
import { messageOf } from "../../operation/errors.ts";
import { writeDurably } from "../../paths/durable-file.ts";
import { makeFolder, openFolderMode } from "../../paths/make-folder.ts";
import { restartFlags } from "../daemon/serve-flags.ts";
import { startDaemon } from "../daemon/start-daemon.ts";
import { stopDaemon } from "../daemon/stop-daemon.ts";
import { awaitService } from "./service-daemon.ts";
import type { ServiceManager } from "./service-manager.ts";
import { isUnitOf, serviceCommand } from "./unit-file.ts";

const unitMode = 0o644;

export interface Installation {
  readonly manager: ServiceManager;
  readonly home: string;
  /** The file that was there. */
  readonly before: string | undefined;
  /** Told, where it fails, what has become of the service and of the daemon that ran. */
  readonly tell: (outcome: string) => void;
}

/**
 * Has the service manager run the daemon of a home, now and from login on. Where no daemon comes of it, everything is put
 * back as it was. Errors: unavailable, daemon_unreachable.
 */
export async function installService(installation: Installation): Promise<void> {
  const { manager, home, tell } = installation;
  const { flags } = restartFlags(home);
  // A home has one daemon: one that was started by hand makes way for that of the service.
  const stopped = await stopDaemon(home);
  try {
    makeFolder(dirname(manager.path), openFolderMode);
    await writeDurably(manager.path, manager.unit(serviceCommand(home)), unitMode);
    await manager.start();
    await awaitService(home, manager);
  } catch (error) {
    tell(await takenBack(installation));
    if (stopped !== undefined) {
      // It forgot them when it was stopped.
      saveStartFlags(home, flags);
      tell(await runsAgain(installation, stopped.pid));
    }
    throw error;
  }
}

async function takenBack({ manager, before }: Installation): Promise<string> {
  try {
    if (before !== undefined) {
      await writeDurably(manager.path, before, unitMode);
      await manager.start();
      return `the service was restored: ${manager.path}`;
    }
    // What it did not take up it cannot stop either.
    await manager.stop().catch(() => undefined);
    rmSync(manager.path, { force: true });
    await manager.forget();
    return `the service was undone: ${manager.path}`;
  } catch (error) {
    return `the service could not be undone completely: ${messageOf(error)}`;
  }
}

async function runsAgain({ manager, home, before }: Installation, pid: number): Promise<string> {
  try {
    const wasService = isUnitOf(manager, before, home);
    const url = await (wasService ? awaitService(home, manager) : startDaemon(home));
    return `the daemon that ran before runs again at ${url}`;
  } catch (error) {
    return `the daemon that ran before (pid ${pid}) has stopped, and did not start again: ${messageOf(error)}`;
  }
}

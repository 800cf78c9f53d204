import { rmSync } from "node:fs";
import { dirname } from "node:path";
import type { LockHolder } from "../../config/lock-file.ts";
import type { StartFlags } from "../../config/start-flags.ts";
import { messageOf } from "../../operation/errors.ts";
import { writeDurably } from "../../paths/durable-file.ts";
import { makeFolder, openFolderMode } from "../../paths/make-folder.ts";
import { restartFlags, serveArguments } from "../daemon/serve-flags.ts";
import { startDaemon } from "../daemon/start-daemon.ts";
import { stopDaemon } from "../daemon/stop-daemon.ts";
import { awaitService } from "./service-daemon.ts";
import type { ServiceManager } from "./service-manager.ts";
import { isUnitOf, serviceCommand } from "./unit-file.ts";

const unitMode = 0o644;

interface Installation {
  readonly manager: ServiceManager;
  readonly home: string;
  /** The unit file that existed before. */
  readonly before: string | undefined;
  /** Called after a failure with the state of the service and of the daemon that was running. */
  readonly tell: (outcome: string) => void;
}

/**
 * Registers a home's daemon with the service manager, to run now and at each login. If that fails, everything is
 * restored. Errors: unavailable, daemon_unreachable.
 */
export async function installService(installation: Installation): Promise<void> {
  const { manager, home, tell } = installation;
  const { flags } = restartFlags(home);
  // A home has only one daemon, so one that is running is stopped first.
  const stopped = await stopDaemon(home);
  try {
    makeFolder(dirname(manager.path), openFolderMode);
    await writeDurably(manager.path, manager.unit(serviceCommand(home)), unitMode);
    await manager.start();
    await awaitService(home, manager);
  } catch (error) {
    tell(await undoInstallation(installation));
    if (stopped !== undefined) tell(await restoreDaemon(installation, stopped, flags));
    throw error;
  }
}

async function undoInstallation({ manager, before }: Installation): Promise<string> {
  try {
    if (before !== undefined) {
      await writeDurably(manager.path, before, unitMode);
      await manager.start();
      return `the service was restored: ${manager.path}`;
    }
    // The manager cannot stop a service that it has not loaded.
    await manager.stop().catch(() => undefined);
    rmSync(manager.path, { force: true });
    await manager.forget();
    return `the service was undone: ${manager.path}`;
  } catch (error) {
    return `the service could not be undone completely: ${messageOf(error)}`;
  }
}

/** It deleted its flags when it was stopped, and where the disk is full they cannot be written again. */
async function restoreDaemon(
  { manager, home, before }: Installation,
  { pid }: LockHolder,
  flags: StartFlags,
): Promise<string> {
  try {
    const wasService = isUnitOf(manager, before, home);
    const url = wasService ? await awaitService(home, manager) : (await startDaemon(home, { flags })).url;
    return `the daemon that ran before runs again at ${url}`;
  } catch (error) {
    const again = ["memsvc daemon start", ...serveArguments(flags)].join(" ");
    return `the daemon that ran before (pid ${pid}) has stopped, and did not start again: ${messageOf(error)}\nstart it as it was: ${again}`;
  }
}

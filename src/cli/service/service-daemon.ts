import { isMemsvcError, MemsvcError } from "../../operation/errors.ts";
import { awaitDaemon, startPatienceMs } from "../daemon/start-daemon.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { ServiceManager } from "./service-manager.ts";
import { serviceOf } from "./unit-file.ts";

/** How long to wait before asking the manager whether the daemon is still starting. */
const usualLookMs = 10_000;

/** The service manager that runs a home's daemon, if it can be reached from here; says so if it cannot. */
export async function reachableService(
  home: string,
  terminal: Terminal,
): Promise<ServiceManager | undefined> {
  const service = serviceOf(home);
  try {
    await service?.check();
    return service;
  } catch (error) {
    // For example in another user's shell, or in a container: the daemon is needed there too.
    if (!isMemsvcError(error, "unavailable")) throw error;
    terminal.complain(`memsvc: the daemon runs outside its service: ${error.message}`);
    return undefined;
  }
}

/** Has the service manager start a home's daemon; returns its address. Errors: unavailable, daemon_unreachable. */
export async function startByService(
  home: string,
  service: ServiceManager,
  how: "start" | "restart",
): Promise<string> {
  try {
    await service.startAgain(how);
  } catch (error) {
    if (!isMemsvcError(error, "unavailable")) throw error;
    throw new MemsvcError("unavailable", `the service did not start the daemon: ${error.message}`, {
      hint: `see why with: ${service.seeWhy}; remove it with: memsvc service uninstall`,
      cause: error,
    });
  }
  return awaitService(home, service);
}

/**
 * Waits until a daemon that the service manager was told to start accepts requests; returns its address. Needed because
 * the manager itself only waits for the process. Error: daemon_unreachable.
 */
export async function awaitService(
  home: string,
  service: Pick<ServiceManager, "name" | "seeWhy" | "isRunning">,
  lookMs = usualLookMs,
): Promise<string> {
  let waitedMs = 0;
  do {
    const url = await awaitDaemon(home, lookMs);
    if (url !== undefined) return url;
    waitedMs += lookMs;
  } while (waitedMs < startPatienceMs && (await service.isRunning()));
  throw new MemsvcError(
    "daemon_unreachable",
    `${service.name} was told to run the daemon, but it still accepts no requests after ${waitedMs / 1_000} s`,
    { hint: `see why with: ${service.seeWhy}` },
  );
}

import { existsSync, readFileSync } from "node:fs";
import { runtimePath } from "../../system/runtime-path.ts";
import { installedScript } from "../installed-script.ts";
import { findServiceManager, type ServiceManager } from "./service-manager.ts";
import { unitMark } from "./unit-templates.ts";

/** Absolute paths, because services do not have the PATH of a shell. */
export function serviceCommand(home: string): string[] {
  return [runtimePath(), installedScript(), "serve", ...homeWords(home)];
}

function homeWords(home: string): string[] {
  return ["--home", home];
}

/** The existing unit file, whoever wrote it. */
export function readUnit({ path }: ServiceManager): string | undefined {
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}

export function isOurUnit(unit: string): boolean {
  return unit.includes(unitMark);
}

/** Whether a unit file runs the daemon of this home. */
export function isUnitOf(manager: ServiceManager, unit: string | undefined, home: string): boolean {
  return unit !== undefined && isOurUnit(unit) && manager.hasWords(unit, homeWords(home));
}

/** The service manager that runs a home's daemon; undefined if none is installed, or only one for another home. */
export function serviceOf(home: string): ServiceManager | undefined {
  const manager = findServiceManager(process.platform);
  return manager !== undefined && isUnitOf(manager, readUnit(manager), home) ? manager : undefined;
}
